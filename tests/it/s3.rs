//! A table on an S3 emulator: nothing between location and answer assumes a local disk.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::support::headless::{Demo, deltop};

/// Pinned, so that a change there breaks nothing here.
const PACKAGE: &str = "moto[server]==5.2.5";
/// How long the emulator may take to listen or to answer.
const START: Duration = Duration::from_secs(60);

#[test]
fn a_table_on_s3_is_the_table_on_disk() {
    let Some(program) = emulator() else { return };
    let server = Server::start(&program);
    let demo = Demo::shared();
    server.put("/lake", &[]);
    for part in ["product", "daily_snapshots"] {
        server.upload(&demo.folder().join(part), &format!("/lake/deep/{part}"));
    }
    let options = [
        "--option",
        &format!("AWS_ENDPOINT_URL=http://127.0.0.1:{}", server.port),
        "--option",
        "AWS_ALLOW_HTTP=true",
        "--option",
        "AWS_ACCESS_KEY_ID=id",
        "--option",
        "AWS_SECRET_ACCESS_KEY=secret-word",
        "--option",
        "AWS_REGION=us-east-1",
    ];
    let on_s3 = |args: &[&str]| deltop(&[args, &options[..], &["--json"]].concat());
    for command in ["files", "partitions", "columns"] {
        let local = deltop(&[command, &demo.part("daily_snapshots"), "--json"]).json();
        assert_eq!(on_s3(&[command, "s3://lake/deep/daily_snapshots"]).json(), local, "{command}");
    }
    let detail = on_s3(&["detail", "s3://lake/deep/product"]).json();
    assert_eq!(detail["version"], 2);
    assert!(detail["location"].as_str().unwrap().starts_with("s3://lake/deep/product"));
    let history = on_s3(&["history", "s3://lake/deep/product"]).json();
    assert_eq!(history.as_array().unwrap().len(), 3);
    let count = "select count(*) as n from t";
    assert_eq!(on_s3(&["sql", "s3://lake/deep/product", count]).json()[0]["n"], 150);
    let listed = on_s3(&["ls", "s3://lake/deep"]).json();
    let names: Vec<&str> = listed.as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["daily_snapshots", "product"]);

    // A vacuum there: listed, looked for, deleted in bulk, told in the log.
    let all = ["--full", "--retain", "0", "--below-safe-retention"];
    let plan =
        |at: &str, flags: &[&str]| on_s3(&[&["vacuum", at], flags].concat()).json()["numFiles"].clone();
    let (local, remote) = (demo.part("product"), "s3://lake/deep/product");
    let files = plan(&local, &all);
    assert!(files.as_u64().unwrap() > 0, "{files}");
    assert_eq!((plan(remote, &all), plan(remote, &all[1..])), (files.clone(), files.clone()));
    let done = on_s3(&[&["vacuum", remote], &all[..], &["--yes", "--allow-writes"]].concat()).json();
    assert_eq!((&done["numFilesRemoved"], &done["newVersion"]), (&files, &4.into()));
    assert_eq!(plan(remote, &all), 0);
    assert_eq!(on_s3(&["sql", remote, count]).json()[0]["n"], 150);

    let missing = on_s3(&["detail", "s3://lake/nowhere"]);
    assert_eq!(missing.error().0, 3);
    assert!(!missing.stdout.contains("secret-word"));
}

/// The emulator's program, out of a virtual environment below the target folder that is made when
/// first needed; none where Python or the package cannot be had.
fn emulator() -> Option<PathBuf> {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("moto");
    let program = home.join("bin/moto_server");
    if !program.is_file() {
        let python = ["-m", "venv", "--clear"].map(String::from);
        let made = quiet(Command::new("python3").args(python).arg(&home))
            && quiet(Command::new(home.join("bin/python")).args(["-m", "pip", "install", "-q", PACKAGE]));
        if !made || !program.is_file() {
            println!("skipped: python3 with venv, or {PACKAGE} from PyPI, cannot be had");
            return None;
        }
    }
    Some(program)
}

fn quiet(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

/// A running emulator; it is stopped at the end, whatever the test's outcome.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start(program: &Path) -> Self {
        for _ in 0..5 {
            // The port is free now; should another program take it first, the next one is tried.
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let mut command = Command::new(program);
            command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            let mut server = Server { process: command.spawn().unwrap(), port };
            if server.is_ready() {
                return server;
            }
        }
        panic!("the emulator does not start");
    }

    /// Waits until the server says that it listens; false if it ended instead.
    fn is_ready(&mut self) -> bool {
        let lines = BufReader::new(self.process.stderr.take().unwrap()).lines();
        let (ready, wait) = mpsc::channel();
        // Reads on to the end, since a full pipe would stop the server.
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if line.contains("Running on http") && ready.send(()).is_err() {
                    return;
                }
            }
        });
        match wait.recv_timeout(START) {
            Ok(()) => true,
            Err(mpsc::RecvTimeoutError::Disconnected) => false,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("the emulator does not answer"),
        }
    }

    /// The status of a plain HTTP request; none without a connection.
    fn request(&self, method: &str, path: &str, body: &[u8]) -> Option<u16> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        stream.set_read_timeout(Some(START)).ok()?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(body).ok()?;
        let mut answer = BufReader::new(stream);
        let mut first = String::new();
        answer.read_line(&mut first).ok()?;
        answer.read_to_end(&mut Vec::new()).ok()?;
        first.split(' ').nth(1)?.parse().ok()
    }

    fn put(&self, path: &str, body: &[u8]) {
        assert_eq!(self.request("PUT", path, body), Some(200), "PUT {path}");
    }

    fn upload(&self, folder: &Path, to: &str) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let to = format!("{to}/{}", path.file_name().unwrap().to_str().unwrap());
            match path.is_dir() {
                true => self.upload(&path, &to),
                false => self.put(&to, &fs::read(&path).unwrap()),
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
