//! The lines that a person or a build machine reads: one for each step, with its time; and the counts in a test runner's output.
//! Must not live here: what a step runs.

use std::fmt;
use std::io::IsTerminal;
use std::time::Instant;

use anyhow::Result;

/// How many tests ran, as the runner's own closing lines say.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub ignored: u64,
    /// What had nothing to run on, such as a package that is not built.
    pub not_run: u64,
}

impl Counts {
    pub fn add(&mut self, other: Self) {
        self.passed = self.passed.saturating_add(other.passed);
        self.failed = self.failed.saturating_add(other.failed);
        self.ignored = self.ignored.saturating_add(other.ignored);
        self.not_run = self.not_run.saturating_add(other.not_run);
    }

    /// Sums the closing lines in a runner's output: `test result: ok. N passed; N failed; N ignored; …` of Rust's harness,
    /// `N passed, N failed` alone on a line, and `ℹ pass N`, `ℹ fail N`, … of Node's; and the lines `N not run: …` that tests
    /// print.
    pub fn read(output: &str) -> Self {
        let mut sum = Self::default();
        let lines = output.lines().map(str::trim);
        let counts = lines.filter_map(|line| {
            Self::of_line(line)
                .or_else(|| Self::of_node(line))
                .or_else(|| Self::of_absent(line))
        });
        counts.for_each(|counts| sum.add(counts));
        sum
    }

    fn of_absent(line: &str) -> Option<Self> {
        let (number, _) = line.split_once(" not run: ")?;
        let not_run = number.parse().ok()?;
        Some(Self {
            not_run,
            ..Self::default()
        })
    }

    fn of_node(line: &str) -> Option<Self> {
        let (word, number) = line.strip_prefix("ℹ ")?.split_once(' ')?;
        let number = number.parse().ok()?;
        let none = Self::default();
        match word {
            "pass" => Some(Self {
                passed: number,
                ..none
            }),
            "fail" | "cancelled" => Some(Self {
                failed: number,
                ..none
            }),
            "skipped" | "todo" => Some(Self {
                ignored: number,
                ..none
            }),
            _ => None,
        }
    }

    fn of_line(line: &str) -> Option<Self> {
        let (rust, list) = match line.strip_prefix("test result: ") {
            Some(rest) => (true, rest.split_once(". ")?.1),
            None => (false, line),
        };
        let mut counts = Self::default();
        let mut seen = 0;
        for part in list.split(if rust { "; " } else { ", " }) {
            let (number, word) = part.trim().split_once(' ')?;
            match (word, number.parse().ok()) {
                ("passed", Some(n)) => counts.passed = n,
                ("failed", Some(n)) => counts.failed = n,
                ("ignored", Some(n)) => counts.ignored = n,
                _ if rust => continue,
                _ => return None,
            }
            seen += 1;
        }
        (seen >= 2).then_some(counts)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        match self.not_run {
            0 => Ok(()),
            not_run => write!(f, ", {not_run} not run"),
        }
    }
}

/// The lines that say what was not run.
pub fn not_run(output: &str) -> impl Iterator<Item = &str> {
    let lines = output.lines().map(str::trim);
    lines.filter(|line| Counts::of_absent(line).is_some())
}

/// The closing lines of the runners in `output`, without those of runners that ran nothing. Where no such line is found,
/// `counts` written as one.
pub fn closing_lines(output: &str, counts: Counts) -> Vec<String> {
    let lines = output.lines().map(str::trim);
    let closing = lines
        .filter(|line| Counts::of_line(line).is_some_and(|counts| counts != Counts::default()));
    let mut closing: Vec<_> = closing.map(str::to_owned).collect();
    if closing.is_empty() && counts.passed + counts.failed > 0 {
        closing.push(counts.to_string());
    }
    closing
}

/// Prints the line of a step: name, outcome, seconds.
pub fn line(name: &str, good: bool, start: Instant) {
    let outcome = if good { "ok" } else { "FAILED" };
    let seconds = start.elapsed().as_secs_f64();
    clear();
    println!("{name:<62} {outcome:<6} {seconds:>7.1} s");
}

/// Clears the sign of life from the terminal's line, which programs that run side by side share.
pub fn clear() {
    if std::io::stdout().is_terminal() {
        print!("\r\x1b[2K");
    }
}

/// Does one step and prints its line. The caller shows the error.
pub fn timed<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let result = work();
    line(name, result.is_ok(), start);
    result
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn counts_come_from_closing_lines_only() {
        let output = "running 3 tests\ntest a ... ok\n\
            test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            node-import: 7 passed, 0 failed\n  9 passed, 2 failed\n3 passed; and more\n\
            3 not run: in Node: no package\nnot run: 3\n\
            ℹ tests 5\nℹ pass 4\nℹ skipped 1\n";
        assert_eq!(
            Counts::read(output),
            Counts {
                passed: 15,
                failed: 2,
                ignored: 2,
                not_run: 3
            }
        );
    }
}
