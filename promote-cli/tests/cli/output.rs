//! The file that `-o` names, and runs that are interrupted.
#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use promote::DType;
use promote_cli::array::Array;
use tempfile::TempDir;

use crate::{Ran, promote_in, write};

/// A folder with the array `x.npy`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder.path().join("x.npy"), Array::zeros(DType::U8, vec![3]).expect("memory"));
    folder
}

fn eval(folder: &TempDir, out: &str) -> Ran {
    promote_in(folder.path(), &["eval", "torch", "x + 1", "x=x.npy", "-o", out])
}

/// The names in a folder.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("the folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("a name").file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

/// Returns true if a file holds the result of [`eval`].
fn holds_result(path: &Path) -> bool {
    fs::read(path).expect("a file").ends_with(&[b'\n', 1, 1, 1])
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").mode() & 0o7777
}

#[test]
fn replaced_files_keep_their_mode_and_new_ones_follow_the_umask() {
    let folder = folder();
    let out = folder.path().join("o.npy");
    for kept in [0o600, 0o640, 0o666, 0o777] {
        fs::write(&out, "old").expect("a file");
        fs::set_permissions(&out, Permissions::from_mode(kept)).expect("a mode");
        eval(&folder, "o.npy").told();
        assert!(holds_result(&out));
        assert_eq!(mode(&out), kept, "{kept:o}");
    }
    let new = |umask: &str| {
        fs::remove_file(&out).expect("a file");
        let status = Command::new("sh")
            .current_dir(folder.path())
            .args(["-c", &format!("umask {umask}; exec \"$0\" eval torch x x=x.npy -o o.npy")])
            .arg(assert_cmd::cargo::cargo_bin("promote"))
            .stdout(Stdio::null())
            .status();
        assert!(status.expect("it runs").success());
        mode(&out)
    };
    assert_eq!([new("022"), new("077"), new("002")], [0o644, 0o600, 0o664]);
}

#[test]
fn symbolic_links_stay_and_their_target_is_replaced() {
    let folder = folder();
    fs::create_dir(folder.path().join("d")).expect("a folder");
    let target = folder.path().join("d/target.npy");
    fs::write(&target, "old").expect("a file");
    fs::set_permissions(&target, Permissions::from_mode(0o600)).expect("a mode");
    symlink("d/target.npy", folder.path().join("one.npy")).expect("a link");
    symlink("one.npy", folder.path().join("two.npy")).expect("a link");
    eval(&folder, "two.npy").told();
    assert!(holds_result(&target));
    assert_eq!(mode(&target), 0o600);
    for (link, to) in [("one.npy", "d/target.npy"), ("two.npy", "one.npy")] {
        assert_eq!(fs::read_link(folder.path().join(link)).expect("a link"), Path::new(to));
    }
    assert_eq!(names(&folder), ["d", "one.npy", "two.npy", "x.npy"]);
    assert_eq!(fs::read_dir(folder.path().join("d")).expect("a folder").count(), 1);
}

/// The input does not exist, so a message on the output shows that nothing was read or computed before.
fn refused_at_once(folder: &TempDir, out: &str) -> String {
    let before = names(folder);
    let told = promote_in(folder.path(), &["eval", "torch", "y", "y=nowhere.npy", "-o", out]).refused();
    assert_eq!(names(folder), before);
    told
}

#[test]
fn rejects_destinations_that_cannot_be_replaced_before_computing() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    symlink("gone.npy", path("dangling.npy")).expect("a link");
    symlink("loop.npy", path("loop.npy")).expect("a link");
    symlink("/dev/null", path("device.npy")).expect("a link");
    fs::create_dir(path("folder.npy")).expect("a folder");
    assert!(Command::new("mkfifo").arg(path("fifo.npy")).status().expect("it runs").success());
    fs::write(path("linked.npy"), "old").expect("a file");
    fs::hard_link(path("linked.npy"), path("other")).expect("a link");
    for (out, expected) in [
        ("dangling.npy", "it is a symbolic link to `gone.npy`, which does not exist\nhelp: remove the link"),
        ("loop.npy", "too many levels of symbolic links"),
        ("device.npy", "it is not a regular file\nhelp: "),
        ("fifo.npy", "it is not a regular file\nhelp: "),
        ("folder.npy", "it is a directory"),
        ("linked.npy", "the file has 2 hard links, and only this one would get the new contents\nhelp: "),
        ("nowhere/o.npy", "there is no directory `nowhere`"),
    ] {
        let told = refused_at_once(&folder, out);
        assert!(told.starts_with(&format!("error: cannot write `{out}`: {expected}")), "{out}: {told}");
    }
    assert_eq!(fs::read(path("linked.npy")).expect("a file"), b"old");
}

#[test]
fn rejects_read_only_files() {
    let folder = folder();
    let out = folder.path().join("o.npy");
    for refused in [0o444, 0o400, 0o555] {
        fs::write(&out, "old").expect("a file");
        fs::set_permissions(&out, Permissions::from_mode(refused)).expect("a mode");
        assert_eq!(
            refused_at_once(&folder, "o.npy"),
            "error: cannot write `o.npy`: the file is read-only\n\
             help: make it writable with `chmod u+w`, or write to another file\n"
        );
        for verb in [&["diff", "torch", "numpy"][..], &["table", "torch"]] {
            let told = promote_in(folder.path(), &[verb, &["-o", "o.npy"]].concat()).refused();
            assert!(told.contains("the file is read-only"), "{told}");
        }
        assert_eq!((mode(&out), fs::read_to_string(&out).expect("a file").as_str()), (refused, "old"));
        fs::remove_file(&out).expect("the folder is writable");
    }
}

#[test]
fn diff_rejects_destinations_that_cannot_be_replaced() {
    let folder = folder();
    assert!(Command::new("mkfifo").arg(folder.path().join("fifo")).status().expect("it runs").success());
    let told = promote_in(folder.path(), &["diff", "torch", "numpy", "-o", "fifo"]).refused();
    assert!(told.contains("cannot write `fifo`: it is not a regular file"), "{told}");
}

/// Skipped with a word unless the tests run as root: nobody else can give a file to another owner.
#[test]
fn keeps_the_owner_or_rejects_the_file() {
    const NOBODY: u32 = 65534;
    let folder = folder();
    let out = folder.path().join("o.npy");
    fs::write(&out, "old").expect("a file");
    if let Err(error) = chown(&out, Some(NOBODY), Some(NOBODY)) {
        eprintln!("skipped: no file can be given to another owner: {error}");
        return;
    }
    eval(&folder, "o.npy").told();
    assert!(holds_result(&out));
    let owner = |path: &Path| fs::metadata(path).map(|file| (file.uid(), file.gid())).expect("a file");
    assert_eq!(owner(&out), (NOBODY, NOBODY));

    // Another user may make files in the folder, and not give them away.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).expect("a mode");
    chown(&out, Some(0), Some(0)).expect("an owner");
    let command = folder.path().join("promote");
    fs::copy(assert_cmd::cargo::cargo_bin("promote"), &command).expect("a copy");
    let run = || {
        Command::new(&command)
            .current_dir(folder.path())
            .args(["eval", "torch", "y", "y=nowhere.npy", "-o", "o.npy"])
            .uid(NOBODY)
            .gid(NOBODY)
            .output()
    };
    let output = loop {
        match run() {
            // Another thread has started a process while the copy was still open for writing.
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            done => break done.expect("it runs"),
        }
    };
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(
        told,
        "error: cannot write `o.npy`: a new file cannot be given the owner 0 and the group 0 of the old one: \
         operation not permitted\n\
         help: write to another file, and copy its contents into this one\n"
    );
    assert_eq!(names(&folder), ["o.npy", "promote", "x.npy"]);
}

/// A folder with the old file `o.npy`, and inputs whose sum has 256 MiB.
fn large() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, shape) in [("a.npy", [1 << 14, 1]), ("b.npy", [1, 1 << 14])] {
        write(&folder.path().join(name), Array::zeros(DType::U8, shape.to_vec()).expect("memory"));
    }
    fs::write(folder.path().join("o.npy"), "old").expect("a file");
    folder
}

fn start(folder: &TempDir) -> Child {
    let command = assert_cmd::cargo::cargo_bin("promote");
    // A shell that starts these tests in the background ignores SIGINT for them, which the command would keep
    // to.
    let mut run = if cfg!(target_os = "linux") {
        let mut env = Command::new("env");
        env.arg("--default-signal=HUP,INT,QUIT,TERM").arg(command);
        env
    } else {
        Command::new(command)
    };
    run.current_dir(folder.path())
        .args(["eval", "torch", "a + b", "a=a.npy", "b=b.npy", "-o", "o.npy"])
        .stdout(Stdio::null())
        .spawn()
        .expect("it runs")
}

fn send(signal: &str, to: &Child) {
    let status = Command::new("kill").args(["-s", signal, &to.id().to_string()]).status();
    assert!(status.expect("it runs").success());
}

/// Returns true if a temporary file is not empty, and so is being written.
fn is_writing(folder: &TempDir) -> bool {
    fs::read_dir(folder.path()).expect("the folder").any(|entry| {
        let entry = entry.expect("a name");
        let temporary = entry.file_name().to_string_lossy().starts_with(".promote-");
        temporary && entry.metadata().is_ok_and(|file| file.len() > 0)
    })
}

const SIGNALS: [(&str, i32); 4] = [("HUP", 1), ("INT", 2), ("QUIT", 3), ("TERM", 15)];

#[test]
fn signals_while_writing_leave_no_temporary_file() {
    for (name, number) in SIGNALS {
        let folder = large();
        // A run may end before the signal comes.
        let interrupted = (0..20).any(|_| {
            let mut child = start(&folder);
            while !is_writing(&folder) {
                if child.try_wait().expect("a process").is_some() {
                    return false;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            send(name, &child);
            let status = child.wait().expect("it ends");
            assert_eq!(names(&folder), ["a.npy", "b.npy", "o.npy"], "SIG{name}: {status}");
            status.signal() == Some(number)
                && fs::read(folder.path().join("o.npy")).expect("the old file") == b"old"
        });
        assert!(interrupted, "SIG{name} interrupted no run");
    }
}

#[test]
fn signals_leave_no_temporary_file() {
    let folder = large();
    for (name, number) in SIGNALS {
        for delay in [5, 20, 50, 100, 300, 600, 1000] {
            let mut child = start(&folder);
            std::thread::sleep(Duration::from_millis(delay));
            send(name, &child);
            let status = child.wait().expect("it ends");
            // To read, compute and write takes longer than 50 ms.
            let interrupted = status.signal() == Some(number);
            assert!(interrupted || delay > 50 && status.success(), "SIG{name} after {delay} ms: {status}");
            assert_eq!(names(&folder), ["a.npy", "b.npy", "o.npy"], "SIG{name} after {delay} ms: {status}");
        }
    }
}

#[test]
fn file_size_limits_are_errors_and_leave_no_temporary_file() {
    let folder = large();
    let output = Command::new("sh")
        .current_dir(folder.path())
        .args(["-c", "ulimit -f 1000; exec \"$0\" eval torch 'a + b' a=a.npy b=b.npy -o o.npy"])
        .arg(assert_cmd::cargo::cargo_bin("promote"))
        .output()
        .expect("it runs");
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(told.starts_with("error: cannot write `o.npy`: "), "{told}");
    assert_eq!(names(&folder), ["a.npy", "b.npy", "o.npy"]);
    assert_eq!(fs::read(folder.path().join("o.npy")).expect("the old file"), b"old");
}

#[test]
#[cfg(target_os = "linux")]
fn ignored_signals_stay_ignored() {
    let folder = large();
    let arrived_while_writing = (0..10).any(|_| {
        let mut child = Command::new("sh")
            .current_dir(folder.path())
            .args(["-c", "trap '' TERM; exec \"$0\" eval torch 'a + b' a=a.npy b=b.npy -o o.npy"])
            .arg(assert_cmd::cargo::cargo_bin("promote"))
            .stdout(Stdio::null())
            .spawn()
            .expect("it runs");
        while !is_writing(&folder) && child.try_wait().expect("a process").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        send("TERM", &child);
        let still_writing = is_writing(&folder);
        assert!(child.wait().expect("it ends").success());
        assert_eq!(fs::metadata(folder.path().join("o.npy")).expect("a file").len(), 128 + (1 << 28));
        still_writing
    });
    assert!(arrived_while_writing, "no signal arrived while the file was written");
}

/// An access control list that lets the user 1234 read and write, in the kernel's form: its version, then for
/// each entry the tag, the permissions and the id.
#[cfg(target_os = "linux")]
fn access_list() -> Vec<u8> {
    const NO_ID: u32 = u32::MAX;
    let entries =
        [(0x01_u16, 6_u16, NO_ID), (0x02, 6, 1234), (0x04, 4, NO_ID), (0x10, 6, NO_ID), (0x20, 0, NO_ID)];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in entries {
        list.extend([tag.to_le_bytes(), permissions.to_le_bytes()].concat());
        list.extend(id.to_le_bytes());
    }
    list
}

/// Skipped with a word where the file system has no access control lists.
#[cfg(target_os = "linux")]
fn give_list(path: &Path, name: &str) -> bool {
    let given = rustix::fs::setxattr(path, name, &access_list(), rustix::fs::XattrFlags::empty());
    if let Err(error) = given {
        eprintln!("skipped: no access control list for {}: {error}", path.display());
    }
    given.is_ok()
}

#[test]
#[cfg(target_os = "linux")]
fn rejects_files_with_an_access_control_list() {
    let folder = folder();
    let out = folder.path().join("o.npy");
    fs::write(&out, "old").expect("a file");
    if !give_list(&out, "system.posix_acl_access") {
        return;
    }
    assert_eq!(
        refused_at_once(&folder, "o.npy"),
        "error: cannot write `o.npy`: the file has an access control list, which a new file would lose\n\
         help: write to another file, and copy its contents into this one\n"
    );
}

/// A new file follows its folder, as any other program's does; one that is replaced stays as it was.
#[test]
#[cfg(target_os = "linux")]
fn default_access_control_lists_do_not_open_replaced_files() {
    let folder = folder();
    let out = folder.path().join("o.npy");
    fs::write(&out, "old").expect("a file");
    fs::set_permissions(&out, Permissions::from_mode(0o660)).expect("a mode");
    if !give_list(folder.path(), "system.posix_acl_default") {
        return;
    }
    let has_list = |name: &str| {
        rustix::fs::getxattr(folder.path().join(name), "system.posix_acl_access", &mut [0_u8; 256]).is_ok()
    };
    eval(&folder, "o.npy").told();
    assert!(holds_result(&out));
    assert_eq!((mode(&out), has_list("o.npy")), (0o660, false));
    eval(&folder, "new.npy").told();
    assert!(has_list("new.npy"));
}

#[test]
fn every_subcommand_with_text_writes_it_to_a_file() {
    let folder = folder();
    for (args, title) in [
        (&["check", "torch"][..], "no mistakes"),
        (&["list", "torch"], "Torch (rules/torch.rs)"),
        (&["table", "numpy"], "NumPy: promotion of two arrays"),
        (&["lattice", "numpy", "--format", "svg"], "NumPy: the order of promotion"),
        (&["explain", "torch", "i32", "f16"], "Torch: i32 and f16 promote to f16"),
        (&["explain", "numpy", "--op", "add", "--format", "json"], "NumPy: `add`"),
        (&["cast", "numpy", "i8", "u8"], "NumPy: i8 to u8"),
    ] {
        let expected = promote_in(folder.path(), args).told();
        let told = promote_in(folder.path(), &[args, &["-o", "out.txt"]].concat()).told();
        assert_eq!(told, format!("out.txt: {title}\n"), "{args:?}");
        assert_eq!(fs::read_to_string(folder.path().join("out.txt")).expect("a file"), expected, "{args:?}");
        // `-` is standard output.
        assert_eq!(promote_in(folder.path(), &[args, &["-o", "-"]].concat()).told(), expected);
    }
    assert_eq!(names(&folder), ["out.txt", "x.npy"]);
}

#[test]
fn errors_leave_the_file_of_the_answer_unchanged() {
    let folder = folder();
    fs::write(folder.path().join("out.txt"), "old").expect("a file");
    for args in [
        &["explain", "torch", "i32", "float99"][..],
        &["cast", "torch", "i32", "float99", "--format", "json"],
        &["list", "troch", "--format", "json"],
    ] {
        promote_in(folder.path(), &[args, &["-o", "out.txt"]].concat()).refused();
        assert_eq!(fs::read_to_string(folder.path().join("out.txt")).expect("a file"), "old");
    }
}

#[test]
fn programs_read_errors_with_their_help_as_json() {
    let folder = folder();
    fs::write(folder.path().join("r.rs"), "promote::rules! { rules R; dtypes f32; }").expect("a file");
    for args in [
        &["explain", "torch", "DT_INT32"][..],
        &["explain", "torch", "--op", "reduce_sum"],
        &["cast", "torch", "DT_INT32", "f32"],
        &["table", "torch", "--dtypes", "DT_INT32"],
        &["diff", "torch", "numpy", "--dtypes", "DT_INT32"],
        &["bench", "torch", "add", "DT_INT32", "f32"],
        &["list", "troch"],
    ] {
        let ran = promote_in(folder.path(), &[args, &["--format", "json"]].concat());
        let told: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(ran.code, 1);
        let (error, help) = (told["error"].as_str().expect("text"), told["help"].as_str().expect("text"));
        assert_eq!(ran.stderr, format!("error: {error}\nhelp: {help}\n"), "{args:?}");
    }
    let ran = promote_in(folder.path(), &["explain", "r.rs", "f32", "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(told["error"], "1 mistake in r.rs");
    assert!(told["mistakes"][0]["line"].is_u64() && told["mistakes"][0]["message"].is_string(), "{told}");
}
