//! `cargo xtask test ROOM`: the tests of one room, natively and, with the package of the last build, in Node.
//! Must not live here: the steps of a whole run (`test`).

use std::process::Command;

use anyhow::Result;

use crate::step::{Course, Shows, Step, Tests};
use crate::{browser, npm, package, paths, run};

pub struct Room {
    pub name: &'static str,
    pub about: &'static str,
    /// The test programs, each with the filter of its tests' paths; the tests inside `src` are the program `lib`.
    native: &'static [(&'static str, &'static str)],
    /// The tables of `tests/js/cases` that run in Node.
    tables: &'static [&'static str],
    /// The other rows of `tests/js/run.mjs`, by name or as `ROW/FILE`.
    rows: &'static [&'static str],
}

pub const ROOMS: &[Room] = &[
    Room {
        name: "tables",
        about: "sorting, indexes, texts",
        native: &[("lib", "tables::")],
        tables: &[],
        rows: &[],
    },
    Room {
        name: "hujson",
        about: "texts: reading, layout, changes",
        native: &[("lib", "hujson::"), ("hujson", "")],
        tables: &["hujson", "same"],
        rows: &[],
    },
    Room {
        name: "cidr",
        about: "addresses, prefixes, sets, names",
        native: &[("lib", "cidr::"), ("cidr", "")],
        tables: &["cidr"],
        rows: &[],
    },
    Room {
        name: "policy",
        about: "verdicts, questions, comparisons, edits; the laws",
        native: &[("lib", "policy::"), ("policy", ""), ("policy_laws", "")],
        tables: &["policy"],
        rows: &["schema"],
    },
    Room {
        name: "language",
        about: "the language service of editors",
        native: &[("lib", "policy::service::"), ("policy", "service::")],
        tables: &["language"],
        rows: &["editors"],
    },
    Room {
        name: "api",
        about: "routes, and what is written and read",
        native: &[("lib", "api::"), ("api", "")],
        tables: &["client", "webhook"],
        rows: &[],
    },
    Room {
        name: "client",
        about: "calls: repetitions, time limits, tokens",
        native: &[("lib", "client::"), ("client", "")],
        tables: &["client", "webhook"],
        rows: &["client"],
    },
    Room {
        name: "gateway",
        about: "which requests it lets through",
        native: &[("lib", "gateway::"), ("gateway", "")],
        tables: &[],
        rows: &["sandbox/gateway", "sandbox/gateway-key"],
    },
    Room {
        name: "sandbox",
        about: "the service in process and over HTTP",
        native: &[("lib", "sandbox::"), ("sandbox", ""), ("api", "")],
        tables: &[],
        rows: &["sandbox"],
    },
    Room {
        name: "command",
        about: "npx tailnet-kit",
        native: &[],
        tables: &[],
        rows: &["command"],
    },
    Room {
        name: "types",
        about: "the declarations",
        native: &[],
        tables: &[],
        rows: &["types"],
    },
    Room {
        name: "house",
        about: "how files, layers and functions may look",
        native: &[("house", "")],
        tables: &[],
        rows: &[],
    },
];

/// Runs the room's tests, natively and in Node.
pub fn run(room: &Room, course: &mut Course) {
    if !room.native.is_empty() {
        course.take(&Step {
            name: room.name,
            about: &format!("{}, natively", room.about),
            advice: "",
            tests: Tests::AtLeastOne,
            shows: Shows::Closing,
            run: &|| natively(room),
        });
    }
    if !room.tables.is_empty() || !room.rows.is_empty() {
        course.take(&Step {
            name: room.name,
            about: &format!("{}, in Node", room.about),
            advice: "",
            tests: Tests::None,
            shows: Shows::All,
            run: &|| in_node(room),
        });
    }
}

/// Calls cargo once for each program, as each has its own filter.
fn natively(room: &Room) -> Result<String> {
    let mut printed = String::new();
    for (program, path) in room.native {
        let mut cargo = Command::new("cargo");
        cargo.args(["test", "--locked"]).current_dir(paths::root());
        match *program {
            "lib" => cargo.arg("--lib"),
            program => cargo.args(["--test", program]),
        };
        cargo.args(["--", path]);
        printed += &run::quiet(&format!("{}-{program}", room.name), &mut cargo)?;
    }
    Ok(printed)
}

/// Uses the package of the last build, as building it takes minutes; says so where it is older than its sources.
fn in_node(room: &Room) -> Result<String> {
    let Some(tarball) = package::last() else {
        return Ok("1 not run: in Node: `cargo xtask package` makes the package\n".to_owned());
    };
    npm::install("tests/js")?;
    let mut node = Command::new("node");
    node.arg("tests/js/run.mjs").arg("--tarball").arg(tarball);
    if !room.tables.is_empty() {
        node.args(["--tables", &room.tables.join(","), "node-import"]);
    }
    if room.rows.contains(&"editors") {
        node.env(browser::VARIABLE, browser::chromium()?);
    }
    let label = format!("{}-node", room.name);
    let printed = run::quiet(&label, node.args(room.rows).current_dir(paths::root()))?;
    let old = "of a package that is older than its sources: `cargo xtask package` builds it\n";
    Ok(printed + if package::is_up_to_date() { "" } else { old })
}
