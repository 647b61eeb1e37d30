//! A step of a test run: what it runs, the line it prints, the advice on failure; and a course of several steps.
//! Must not live here: which steps there are.

use std::io;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Result, ensure};

use crate::output::{Counts, closing_lines, line, not_run};
use crate::run::{self, Failed};

/// One step. `run` returns what its programs printed; the tests counted in it are those of the step. A step without any
/// counts as one test.
pub struct Step<'a> {
    /// As in `cargo xtask test NAME`.
    pub name: &'a str,
    pub about: &'a str,
    pub advice: &'a str,
    pub tests: Tests,
    pub shows: Shows,
    pub run: &'a (dyn Fn() -> Result<String> + Sync),
}

/// Whether a step must have run a test to pass. A runner that finds nothing to run succeeds all the same.
#[derive(PartialEq, Eq)]
pub enum Tests {
    None,
    AtLeastOne,
}

/// What is shown of a step that passed.
#[derive(PartialEq, Eq)]
pub enum Shows {
    /// The closing lines of its test runners.
    Closing,
    /// All it printed, which is short.
    All,
}

/// Steps in turn; a failure does not stop the next one.
pub struct Course {
    start: Instant,
    sum: Counts,
    failed: Vec<String>,
}

impl Course {
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
            sum: Counts::default(),
            failed: Vec::new(),
        }
    }

    /// Runs one step.
    pub fn take(&mut self, step: &Step<'_>) {
        let outcome = attempt(step);
        self.note(step, outcome);
    }

    /// Runs steps beside each other; the line of each comes when it is done.
    pub fn take_together(&mut self, steps: &[&Step<'_>]) {
        let broke_off = Counts {
            failed: 1,
            ..Counts::default()
        };
        let outcomes: Vec<_> = thread::scope(|scope| {
            let started = steps.iter().map(|step| scope.spawn(|| attempt(step)));
            let started: Vec<_> = started.collect();
            let outcomes = started.into_iter().map(thread::ScopedJoinHandle::join);
            outcomes
                .map(|it| it.unwrap_or((broke_off, false)))
                .collect()
        });
        for (step, outcome) in steps.iter().zip(outcomes) {
            self.note(step, outcome);
        }
    }

    fn note(&mut self, step: &Step<'_>, (counts, good): (Counts, bool)) {
        self.sum.add(counts);
        if !good && !self.failed.iter().any(|name| name == step.name) {
            self.failed.push(step.name.to_owned());
        }
    }

    /// Prints the time and the sum, and names all that failed.
    pub fn close(&self) -> ExitCode {
        println!("\n{:.0} s", self.start.elapsed().as_secs_f64());
        if !self.failed.is_empty() {
            println!(
                "failed: {}\nto run only these again: cargo xtask test {}",
                self.failed.join(", "),
                self.failed.join(" ")
            );
        }
        println!("{}", self.sum);
        if self.failed.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

/// Runs one step and prints its line, the closing lines of its runners, and on failure what went wrong.
fn attempt(step: &Step<'_>) -> (Counts, bool) {
    let start = Instant::now();
    let result = (step.run)();
    let text = match &result {
        Ok(output) => output.clone(),
        Err(error) => error
            .downcast_ref::<Failed>()
            .map_or_else(String::new, |failed| failed.output.clone()),
    };
    let mut counts = Counts::read(&text);
    let result = result.and_then(|_| judge(step, counts));
    let good = result.is_ok();
    if good && counts == Counts::default() {
        counts.passed = 1;
    }
    if !good && counts.failed == 0 {
        counts.failed = 1;
    }
    // Nobody else prints in between.
    let _whole = io::stdout().lock();
    line(&format!("{:<15}{}", step.name, step.about), good, start);
    if counts.not_run > 0 {
        println!("{:<15}{} not run", step.name, counts.not_run);
    }
    match result {
        Ok(()) if step.shows == Shows::All => print!("{text}"),
        Ok(()) => not_run(&text)
            .map(str::to_owned)
            .chain(closing_lines(&text, counts))
            .for_each(|closing| println!("{closing}")),
        Err(error) => println!("{}\n{}", run::explain(&error), advice(step)),
    }
    (counts, good)
}

/// A runner that ended with success may still have run too little.
fn judge(step: &Step<'_>, counts: Counts) -> Result<()> {
    ensure!(
        counts.ignored == 0,
        "{} tests were ignored: every test runs, or goes",
        counts.ignored
    );
    ensure!(
        counts.failed == 0,
        "{} tests failed, though the runner ended with success",
        counts.failed
    );
    ensure!(
        counts.not_run == 0 || std::env::var_os("CI").is_none(),
        "{} not run, and CI is set: a build machine runs everything",
        counts.not_run
    );
    ensure!(
        step.tests == Tests::None || counts.passed > 0,
        "not one test ran"
    );
    Ok(())
}

fn advice(step: &Step<'_>) -> String {
    let more = if step.advice.is_empty() {
        String::new()
    } else {
        format!("; {}", step.advice)
    };
    format!("  -> cargo xtask test {}{more}", step.name)
}
