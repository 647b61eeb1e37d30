//! Runs a program quietly: its output goes to a log, a sign of life to the terminal, and the log is shown only on failure.
//! Must not live here: what a program is run for.

use std::fmt;
use std::io::{BufRead, BufReader, IsTerminal, PipeReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::output;

/// How many lines of a failed program's output are shown; all of it is in its log.
const SHOWN_LINES: usize = 120;
/// A program that takes longer is stopped: a build machine would otherwise wait for ever.
const LIMIT: Duration = Duration::from_secs(30 * 60);
/// How long a program that has ended may leave its output open (a browser it started may still hold it).
const DRAIN: Duration = Duration::from_secs(2);
const SIGN_OF_LIFE: Duration = Duration::from_secs(30);

/// A program that failed or was stopped, with all it had printed.
#[derive(Debug)]
pub struct Failed {
    pub output: String,
    program: String,
    ending: String,
    log: String,
}

impl std::error::Error for Failed {}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            program,
            ending,
            log,
            ..
        } = self;
        write!(f, "{program}: {ending}{log}")
    }
}

/// An error for people: the end of what the failed program printed, if there was one, and below it the chain of reasons.
pub fn explain(error: &anyhow::Error) -> String {
    let output = error
        .downcast_ref::<Failed>()
        .map(|failed| tail(&failed.output) + "\n");
    format!("{}error: {error:#}", output.unwrap_or_default())
}

/// Runs `command` without input and returns all it printed. `label` names it in the sign of life and in the log's file name.
/// A program that does not end with success gives the error [`Failed`].
pub fn quiet(label: &str, command: &mut Command) -> Result<String> {
    within(label, command, LIMIT)
}

/// [`quiet`] with another time limit.
pub fn within(label: &str, command: &mut Command, limit: Duration) -> Result<String> {
    let program = describe(command);
    let (reader, writer) = std::io::pipe()?;
    command
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer);
    // Some programs colour their output even where it goes to a log.
    command.env("NO_COLOR", "1").env_remove("FORCE_COLOR");
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    // The command holds the writing end of the pipe; until that is dropped the reader sees no end of the output.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let (output, ended) = follow(label, &mut child, reader, limit)?;
    let log = keep_log(label, &output);
    let ending = match ended {
        Some(status) if status.success() => return Ok(output),
        Some(status) => status.to_string(),
        None => format!(
            "still running after {} minutes, stopped",
            limit.as_secs() / 60
        ),
    };
    Err(Failed {
        output,
        program,
        ending,
        log,
    }
    .into())
}

/// What a short program prints on standard output, trimmed; `None` where it cannot be started or fails.
pub fn answer(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Collects lines until the program has ended; no status means that it was stopped for taking too long.
fn follow(
    label: &str,
    child: &mut Child,
    reader: PipeReader,
    limit: Duration,
) -> Result<(String, Option<ExitStatus>)> {
    let lines = read_lines(reader);
    let mut life = Life::new(label);
    let (mut output, mut ended): (String, Option<(ExitStatus, Instant)>) = (String::new(), None);
    loop {
        match lines.recv_timeout(Duration::from_millis(200)) {
            Ok(line) => {
                life.show(&line);
                output.push_str(&line);
                output.push('\n');
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => life.tick(),
        }
        if ended.is_none() {
            ended = child.try_wait()?.map(|status| (status, Instant::now()));
        }
        if ended.is_some_and(|(_, since)| since.elapsed() > DRAIN) {
            break;
        }
        if ended.is_none() && life.start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            output::clear();
            return Ok((output, None));
        }
    }
    output::clear();
    Ok((output, Some(child.wait()?)))
}

fn read_lines(reader: PipeReader) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
            let line = without_colours(&String::from_utf8_lossy(&line));
            if sender.send(line.trim_end().to_owned()).is_err() {
                break;
            }
        }
    });
    receiver
}

/// The line without escape sequences, which some programs print although asked not to.
fn without_colours(line: &str) -> String {
    let mut pieces = line.split("\x1b[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        plain += piece
            .trim_start_matches(|c: char| c.is_ascii_digit() || c == ';')
            .get(1..)
            .unwrap_or_default();
    }
    plain
}

/// The sign of life: one line rewritten in place on a terminal, now and then a line elsewhere.
struct Life<'a> {
    label: &'a str,
    start: Instant,
    said: Instant,
    last: String,
    terminal: bool,
}

impl<'a> Life<'a> {
    fn new(label: &'a str) -> Self {
        let start = Instant::now();
        Self {
            label,
            start,
            said: start,
            last: String::new(),
            terminal: std::io::stdout().is_terminal(),
        }
    }

    fn show(&mut self, line: &str) {
        if !line.trim().is_empty() {
            self.last = line.trim().chars().take(90).collect();
        }
        self.tick();
    }

    fn tick(&mut self) {
        let pause = if self.terminal {
            Duration::from_millis(200)
        } else {
            SIGN_OF_LIFE
        };
        if self.said.elapsed() < pause {
            return;
        }
        self.said = Instant::now();
        let seconds = self.start.elapsed().as_secs();
        if self.terminal {
            output::clear();
            print!("  {}  {seconds} s  {}", self.label, self.last);
        } else {
            println!("  {}: {seconds} s: {}", self.label, self.last);
        }
        flush();
    }
}

/// A closed standard output is no reason to stop working.
fn flush() {
    let _ = std::io::stdout().flush();
}

/// Writes the output to a log and says where; a log that cannot be written is not a failure of the program.
fn keep_log(label: &str, output: &str) -> String {
    let folder = crate::paths::root().join("target/xtask");
    let name = format!(
        "{}.log",
        label.replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-")
    );
    let written =
        std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(&name), output));
    written.map_or_else(
        |_| String::new(),
        |()| format!(" (all of it: target/xtask/{name})"),
    )
}

/// The last lines of an output; of those before, the ones that name a test that failed.
fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let start = lines.len().saturating_sub(SHOWN_LINES);
    let (before, shown) = lines.split_at(start);
    let names_failure =
        |line: &&&str| line.ends_with("... FAILED") || line.trim().starts_with("✖ ");
    let mut words = Vec::new();
    if start > 0 {
        words.push(format!("[{start} lines before]"));
        words.extend(before.iter().filter(names_failure).map(ToString::to_string));
    }
    words.extend(shown.iter().map(ToString::to_string));
    words.join("\n")
}

fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    format!("`{}`", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::{SHOWN_LINES, tail, without_colours};

    #[test]
    fn a_test_that_failed_is_named_however_much_comes_after_it() {
        let passed = "test other ... ok\n".repeat(SHOWN_LINES);
        let shown = tail(&format!(
            "test first ... ok\ntest mine ... FAILED\n{passed}"
        ));
        assert!(shown.starts_with("[2 lines before]\ntest mine ... FAILED\ntest other"));
        assert!(!shown.contains("first"), "{shown}");
    }

    #[test]
    fn colours_are_taken_out() {
        assert_eq!(
            without_colours("\x1b[38;5;246m1 │\x1b[0m b\x1b[2K"),
            "1 │ b"
        );
        assert_eq!(without_colours("plain [0m"), "plain [0m");
    }
}
