//! The processes of a cluster, which end when the example ends.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::Result;

/// The variable that tells a process what it is.
pub(crate) const ROLE: &str = "PROMOTE_CLUSTER_ROLE";
pub(crate) const SCHEDULER_PORT: &str = "PROMOTE_CLUSTER_SCHEDULER_PORT";
pub(crate) const EXECUTORS: &str = "PROMOTE_CLUSTER_EXECUTORS";
pub(crate) const VCORES: &str = "PROMOTE_CLUSTER_VCORES";
pub(crate) const FOLDER: &str = "PROMOTE_CLUSTER_FOLDER";

/// The longest time until a process does what it is asked for.
const LIMIT: Duration = Duration::from_mins(1);

/// How often an executor is started again if another program takes a port that it has found free.
const RESTARTS: usize = 3;

/// A scheduler and executors. All of them end when the value is dropped.
pub(crate) struct Cluster {
    scheduler: Process,
    executors: Vec<Process>,
    port: u16,
    /// How many tasks an executor runs at once.
    vcores: usize,
    // Dropped after the processes.
    folder: Folder,
}

impl Cluster {
    /// Starts a cluster and waits until it is ready.
    pub(crate) fn start(executors: usize) -> Result<Cluster> {
        let scheduler = Process::start("scheduler", &[(EXECUTORS, executors.to_string())])?;
        let port = scheduler.wait_for("port ")?.parse()?;
        let vcores = (thread::available_parallelism()?.get() / executors).max(1);
        let mut cluster = Cluster { scheduler, executors: Vec::new(), port, vcores, folder: Folder::new()? };
        for number in 0..executors {
            let executor = cluster.executor(number)?;
            cluster.executors.push(executor);
        }
        cluster.wait_until_ready()?;
        Ok(cluster)
    }

    fn executor(&self, number: usize) -> Result<Process> {
        let folder = self.folder.path.join(number.to_string());
        fs::create_dir_all(&folder)?;
        let folder = folder.to_str().ok_or("the temporary folder is not UTF-8")?.to_owned();
        let (port, vcores) = (self.port.to_string(), self.vcores.to_string());
        Process::start("executor", &[(SCHEDULER_PORT, port), (FOLDER, folder), (VCORES, vcores)])
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        let (start, mut restarts) = (Instant::now(), 0);
        loop {
            match self.scheduler.lines.recv_timeout(Duration::from_millis(50)) {
                Ok(line) if line == "ready" => return Ok(()),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err("the scheduler ended".into()),
            }
            for number in 0..self.executors.len() {
                if let Some(status) = self.executors[number].child.try_wait()? {
                    restarts += 1;
                    if restarts > RESTARTS {
                        return Err(format!("an executor ended: {status}").into());
                    }
                    self.executors[number] = self.executor(number)?;
                }
            }
            if start.elapsed() > LIMIT {
                return Err("the executors did not register with the scheduler".into());
            }
        }
    }

    /// Returns the address for clients.
    pub(crate) fn url(&self) -> String {
        format!("df://127.0.0.1:{}", self.port)
    }

    /// Returns the most memory that each executor has used. It is known on Linux.
    pub(crate) fn peaks(&self) -> Vec<String> {
        let peak = |executor: &Process| {
            let status = fs::read_to_string(format!("/proc/{}/status", executor.child.id())).ok()?;
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
            // The unit `kB` has 1024 bytes.
            let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
            Some(format!("{} MB", kib * 1024 / 1_000_000))
        };
        self.executors.iter().map(|executor| peak(executor).unwrap_or_else(|| "?".to_owned())).collect()
    }

    /// Lets executors wait at the start of their next tasks.
    pub(crate) fn hold(&mut self) -> Result<()> {
        for executor in &mut self.executors {
            executor.say("hold")?;
            executor.wait_for("holds")?;
        }
        Ok(())
    }

    /// Waits until an executor has a task, and kills it. The other ones go on.
    pub(crate) fn kill_busy(&mut self) -> Result<()> {
        let start = Instant::now();
        loop {
            for number in 0..self.executors.len() {
                if self.executors[number].lines.try_recv().is_ok_and(|line| line == "busy") {
                    drop(self.executors.remove(number));
                    for executor in &mut self.executors {
                        executor.say("go")?;
                    }
                    return Ok(());
                }
            }
            if start.elapsed() > LIMIT {
                return Err("no executor got a task".into());
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A process of this program. It is killed when the value is dropped, and ends by itself when its input does,
/// which it does even if this process is killed.
struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    fn start(role: &str, variables: &[(&str, String)]) -> Result<Process> {
        let mut command = Command::new(std::env::current_exe()?);
        command.env(ROLE, role).envs(variables.iter().map(|(name, value)| (name, value)));
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = channel();
        if let Some(output) = output {
            thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(std::result::Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Ok(Process { child, input: input.ok_or("no input")?, lines })
    }

    fn say(&mut self, line: &str) -> Result<()> {
        Ok(writeln!(self.input, "{line}")?)
    }

    /// Waits for a line that begins so, and returns the rest of it.
    fn wait_for(&self, beginning: &str) -> Result<String> {
        let start = Instant::now();
        while let Ok(line) = self.lines.recv_timeout(LIMIT.saturating_sub(start.elapsed())) {
            if let Some(rest) = line.strip_prefix(beginning) {
                return Ok(rest.to_owned());
            }
        }
        Err(format!("a process ended, or did not say `{beginning}`").into())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A temporary folder.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn new() -> Result<Folder> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name =
            format!("promote-cluster-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Folder { path })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
