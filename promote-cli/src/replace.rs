//! Atomic replacement of files: a reader sees either the old contents or the new ones, never a mixture.
//!
//! The new contents go to a temporary file beside the old file, which then takes its name. The file behind a
//! symbolic link is replaced, and the link stays. On Unix a file that is replaced keeps its owner, group and
//! mode; one that is read-only or has more to lose is refused.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::interrupt::Deferred;
use crate::system::{not_regular, reason};

/// The number of bytes that are written between two checks for signals.
const CHUNK: usize = 1 << 20;

/// The new contents of a file, while they are written. Signals are deferred, and end the process when this is
/// dropped. Without [`Replacement::finish`] the file is unchanged.
#[derive(Debug)]
pub(crate) struct Replacement<'a> {
    path: &'a Path,
    // Dropped, and with it removed, before a signal ends the process.
    temporary: NamedTempFile,
    deferred: Deferred,
}

impl<'a> Replacement<'a> {
    /// Begins to replace the file `path`.
    ///
    /// # Errors
    /// Returns the errors of [`check`].
    pub(crate) fn begin(path: &'a Path) -> Result<Replacement<'a>, Failure> {
        let deferred = Deferred::begin().map_err(|error| cannot(path, &reason(&error)))?;
        let temporary = Target::of(path)?.temporary(path)?;
        Ok(Replacement { path, temporary, deferred })
    }

    /// Gives the new contents the name of the file, after all of them have reached the disk.
    ///
    /// # Errors
    /// Returns an error if the file cannot be replaced. Then it is unchanged.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        // Dropped in reverse order.
        let Replacement { deferred, path, temporary } = self;
        let cannot = |error: &io::Error| cannot(path, &reason(error));
        temporary.as_file().sync_all().map_err(|error| cannot(&error))?;
        go_on(&deferred).map_err(|error| cannot(&error))?;
        // Another program may have changed what the name stands for.
        let target = Target::of(path)?;
        target.hand_over(path, temporary.as_file())?;
        temporary.persist(&target.path).map_err(|error| cannot(&error.error))?;
        sync_folder(folder(&target.path));
        Ok(())
    }

    /// Returns the error for a failed write.
    pub(crate) fn failed(path: &Path, error: &io::Error) -> Failure {
        cannot(path, &reason(error))
    }
}

impl Write for Replacement<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        go_on(&self.deferred)?;
        self.temporary.write(&bytes[..bytes.len().min(CHUNK)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.temporary.flush()
    }
}

impl Seek for Replacement<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.temporary.seek(to)
    }
}

/// Replaces the file `path` by one with these bytes.
///
/// # Errors
/// Returns the errors of [`check`] and of writing. Then `path` is unchanged.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let mut out = Replacement::begin(path)?;
    out.write_all(bytes).map_err(|error| cannot(path, &reason(&error)))?;
    out.finish()
}

/// Checks that [`replace`] can write a file, as far as that is known in advance.
///
/// # Errors
/// Returns an error if the folder does not exist, if no file can be created in it, or if the old file cannot
/// be replaced.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    let _deferred = Deferred::begin().map_err(|error| cannot(path, &reason(&error)))?;
    Target::of(path)?.temporary(path)?;
    Ok(())
}

fn cannot(path: &Path, why: &str) -> Failure {
    Failure::new(format!("cannot write `{}`: {why}", path.display()))
}

/// Stops the writing if a signal has arrived. Nobody sees the message, since the signal ends the process.
fn go_on(deferred: &Deferred) -> io::Result<()> {
    // Writes that are `Interrupted` are repeated.
    if deferred.arrived() { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

/// The file that is replaced.
struct Target {
    /// The file itself, behind all symbolic links.
    path: PathBuf,
    /// `None` for a new file.
    old: Option<Metadata>,
}

impl Target {
    /// Resolves `path`.
    fn of(path: &Path) -> Result<Target, Failure> {
        let folder = folder(path);
        if !folder.is_dir() {
            return Err(cannot(path, &format!("there is no directory `{}`", folder.display())));
        }
        let old = match fs::metadata(path) {
            Ok(old) => old,
            Err(error) if error.kind() == ErrorKind::NotFound => return Target::new_file(path),
            Err(error) => return Err(cannot(path, &reason(&error))),
        };
        refuse(path, &old)?;
        let file = if path.is_symlink() { fs::canonicalize(path) } else { Ok(path.to_owned()) };
        let file = file.map_err(|error| cannot(path, &reason(&error)))?;
        Ok(Target { path: file, old: Some(old) })
    }

    fn new_file(path: &Path) -> Result<Target, Failure> {
        match fs::read_link(path) {
            Ok(target) => {
                let why = format!("it is a symbolic link to `{}`, which does not exist", target.display());
                Err(cannot(path, &why).help("remove the link, or write to the name of its target"))
            }
            Err(_) => Ok(Target { path: path.to_owned(), old: None }),
        }
    }

    /// Creates an empty file beside the target that can replace it.
    fn temporary(&self, path: &Path) -> Result<NamedTempFile, Failure> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".promote-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // Until it has the owner and the mode of the old file, nobody else may read it.
            let mode = if self.old.is_some() { 0o600 } else { 0o666 };
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        let temporary =
            builder.tempfile_in(folder(&self.path)).map_err(|error| cannot(path, &reason(&error)))?;
        if self.old.is_some() {
            acl::remove(temporary.as_file()).map_err(|error| cannot(path, &reason(&error)))?;
        }
        self.hand_over(path, temporary.as_file())?;
        Ok(temporary)
    }

    /// Gives the owner, the group and the mode of the old file to the new one.
    fn hand_over(&self, path: &Path, file: &File) -> Result<(), Failure> {
        let Some(old) = &self.old else { return Ok(()) };
        keep(old, file).map_err(|(what, error)| {
            let why = format!("a new file cannot be given {what} of the old one: {}", reason(&error));
            cannot(path, &why).help("write to another file, and copy its contents into this one")
        })
    }
}

/// Rejects old files that a new file cannot replace.
fn refuse(path: &Path, old: &Metadata) -> Result<(), Failure> {
    if let Some(why) = not_regular(old) {
        return Err(cannot(path, why).help("write to a regular file, and copy it from there"));
    }
    // The name could be given to a new file all the same: the folder decides on that.
    if old.permissions().readonly() {
        return Err(cannot(path, "the file is read-only")
            .help("make it writable with `chmod u+w`, or write to another file"));
    }
    #[cfg(unix)]
    {
        let links = std::os::unix::fs::MetadataExt::nlink(old);
        if links > 1 {
            let why =
                format!("the file has {links} hard links, and only this one would get the new contents");
            return Err(cannot(path, &why).help(
                "write to another file, and copy its contents into this one; or remove this link first",
            ));
        }
    }
    if acl::has(path).map_err(|error| cannot(path, &reason(&error)))? {
        return Err(cannot(path, "the file has an access control list, which a new file would lose")
            .help("write to another file, and copy its contents into this one"));
    }
    Ok(())
}

/// Access control lists (POSIX ACLs). Under one, the mode's group bits are the upper limit of all its
/// entries, so that a file with the same mode and another list can be open to more users.
#[cfg(target_os = "linux")]
mod acl {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use rustix::fs::{fremovexattr, getxattr};
    use rustix::io::Errno;

    const NAME: &str = "system.posix_acl_access";

    /// Returns true if a file has a list beyond its mode.
    pub(super) fn has(path: &Path) -> io::Result<bool> {
        match getxattr(path, NAME, &mut [0_u8]) {
            // It is longer than the buffer.
            Ok(_) | Err(Errno::RANGE) => Ok(true),
            Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Removes the list that a folder's default one gives to a new file.
    pub(super) fn remove(file: &File) -> io::Result<()> {
        match fremovexattr(file, NAME) {
            Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod acl {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub(super) fn has(_path: &Path) -> io::Result<bool> {
        Ok(false)
    }

    pub(super) fn remove(_file: &File) -> io::Result<()> {
        Ok(())
    }
}

/// Gives a file the owner, the group and the mode of an old one, and returns what could not be kept.
#[cfg(unix)]
fn keep(old: &Metadata, file: &File) -> Result<(), (String, io::Error)> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let mode = |of: &Metadata| of.permissions().mode() & 0o7777;
    let of_mode = |error| (format!("the mode {:04o}", mode(old)), error);
    let new = file.metadata().map_err(of_mode)?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        fchown(file, Some(old.uid()), Some(old.gid()))
            .map_err(|error| (format!("the owner {} and the group {}", old.uid(), old.gid()), error))?;
    }
    if mode(&new) != mode(old) {
        file.set_permissions(old.permissions()).map_err(of_mode)?;
    }
    Ok(())
}

/// Elsewhere a new file has what its folder gives it.
#[cfg(not(unix))]
fn keep(_old: &Metadata, _file: &File) -> Result<(), (String, io::Error)> {
    Ok(())
}

/// Makes the new name survive a loss of power, on platforms that can sync a folder.
fn sync_folder(folder: &Path) {
    // The file has its name already, so there is nothing left to undo. Some file systems sync no folders.
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
