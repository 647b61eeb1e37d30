//! What is gained, lost or undecided at one destination, in the words of a summary.
//! Must not live here: which of it is shown, and in what order (summary.rs).

use super::markdown::{NAMED, code, few};
use super::reach::{Exposure, Public};
use crate::policy::access_change::{AccessReach, Part};
use crate::policy::diff_ssh::{CheckedReach, Direction, SshReach};
use crate::policy::findings::words::joined;
use crate::policy::language::login::SshAction;
use crate::policy::language::opening::{Opening, Unless};
use crate::policy::language::rule::{RuleRef, Section};
use crate::policy::powers::Power;
use crate::tables::sort;

/// What is said of one destination, and the rules because of which it is said.
pub struct Said<'r> {
    pub text: String,
    pub because: &'r [RuleRef],
}

/// Access at one destination.
pub fn access(reach: &AccessReach) -> Said<'_> {
    let (to, ports) = (code(&reach.destination), code(&reach.ports.join(" ")));
    let conditions = conditions(&reach.opens);
    let part = part(reach.part.as_ref());
    let after = after(reach.why.as_deref(), reach.today.as_deref());
    Said {
        text: joined(&[&to, " ", &ports, &conditions, &part, &after]),
        because: &reach.because,
    }
}

/// Logins at one destination.
pub fn login(reach: &SshReach) -> Said<'_> {
    let users = reach.users.iter().take(NAMED).map(|user| code(user));
    let users = few(users.collect(), reach.users.len(), ", ");
    let how = match reach.action {
        SshAction::Check => " after a check",
        SshAction::Accept => "",
    };
    let network = match reach.network {
        Some(true) => "",
        Some(false) => " (no network rule opens port 22)",
        None => " (whether the network opens port 22 is undecided)",
    };
    let terms = terms(&reach.postures, &[], &reach.unless);
    let part = part(reach.part.as_ref());
    let after = after(reach.why.as_deref(), reach.today.as_deref());
    Said {
        text: joined(&[
            &code(&reach.destination),
            " as ",
            &users,
            how,
            &terms,
            &part,
            network,
            &after,
        ]),
        because: &reach.because,
    }
}

/// Logins that are treated otherwise.
pub fn checked(checked: &CheckedReach) -> Said<'_> {
    let reach = &checked.reach;
    let said = login(reach);
    let how = match (checked.now, reach.action) {
        (Direction::Tighter, SshAction::Check) => "now needs a check, or one more often",
        (Direction::Looser, SshAction::Accept) => "no longer needs a check",
        (Direction::Looser, SshAction::Check) => "needs a check less often, or passes on more",
        (Direction::Tighter, SshAction::Accept) => "passes on less",
    };
    let period = reach.check_period.as_ref().map_or(String::new(), |period| {
        joined(&["; a check counts for ", &code(period)])
    });
    let passed = match reach.accept_env.is_empty() {
        true => String::new(),
        false => joined(&["; passed on: ", &code(&reach.accept_env.join(" "))]),
    };
    Said {
        text: joined(&[&said.text, ": ", how, &period, &passed]),
        because: said.because,
    }
}

/// A power.
pub fn power(power: &Power) -> String {
    let what = joined(&[power.kind.name(), " ", &code(&power.what)]);
    let value = power.value.as_ref().map_or(String::new(), |value| {
        let text = serde_json::to_string(value).unwrap_or_default();
        joined(&[" = ", &code(&text)])
    });
    let through = match power.through.is_empty() {
        true => String::new(),
        false => joined(&[", through ", &code(&power.through.join(", "))]),
    };
    let mut opened = Vec::new();
    for reach in power.opens.iter().flat_map(|opens| opens.iter()) {
        opened.push(joined(&[
            &code(&reach.destination),
            " ",
            &code(&reach.ports.join(" ")),
        ]));
    }
    let count = opened.len();
    opened.truncate(NAMED);
    let opens = match count {
        0 => String::new(),
        _ => joined(&[", which reaches ", &few(opened, count, ", ")]),
    };
    let after = after(power.why.as_deref(), power.today.as_deref());
    joined(&[&what, &value, &through, &opens, &after])
}

/// Conditions on which all of it depends.
fn conditions(opens: &[Opening]) -> String {
    let Some(first) = opens.first() else {
        return String::new();
    };
    let is_same = |opening: &Opening| {
        (&opening.postures, &opening.via, &opening.unless)
            == (&first.postures, &first.via, &first.unless)
    };
    match opens.iter().all(is_same) {
        true => terms(&first.postures, &first.via, &first.unless),
        false => " on several conditions".to_owned(),
    }
}

fn terms(postures: &[String], via: &[String], unless: &Unless) -> String {
    let mut text = String::new();
    let mut add = |before: &str, names: &[String]| {
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| code(name)).collect();
            text.push_str(&joined(&[before, &names.join(" or ")]));
        }
    };
    add(" with ", postures);
    add(" through ", via);
    add(", unless with ", &unless.postures);
    add(", unless through ", &unless.via);
    text
}

fn part(part: Option<&Part>) -> String {
    let mut text = String::new();
    for (what, names) in [
        (" (of the source only ", part.map(|part| &part.from)),
        (" (only ", part.map(|part| &part.to)),
    ] {
        let names = names.map_or(&[][..], Vec::as_slice);
        if !names.is_empty() {
            let shown = names.iter().take(NAMED).map(|name| code(name)).collect();
            text.push_str(&joined(&[what, &few(shown, names.len(), ", "), ")"]));
        }
    }
    text
}

fn after(why: Option<&str>, today: Option<&str>) -> String {
    let why = why.map_or(String::new(), |why| joined(&[" (", &code(why), ")"]));
    let today = today.map_or(String::new(), |why| {
        joined(&[" (nobody today: ", &code(why), ")"])
    });
    joined(&[&why, &today])
}

/// The rules that open it, as positions in the text of their document.
pub fn rules(because: &[RuleRef]) -> String {
    let mut rules = because.to_vec();
    sort::sort(&mut rules);
    rules.dedup();
    let mut named = Vec::new();
    for rule in rules.iter().take(NAMED) {
        let section = match rule.section {
            Section::Acls => "acls",
            Section::Grants => "grants",
            Section::Ssh => "ssh",
        };
        let (index, line) = (rule.index.to_string(), rule.line.to_string());
        named.push(joined(&[section, "[", &index, "] line ", &line]));
    }
    match named.is_empty() {
        true => String::new(),
        false => joined(&[" — ", &few(named, rules.len(), ", ")]),
    }
}

/// Something that is newly open to many.
pub fn exposure(exposure: &Exposure) -> String {
    let who = match exposure.to {
        Public::Anyone => "any address reaches ",
        Public::Outsiders => "outsiders reach ",
        Public::Everybody => "everybody reaches ",
    };
    let (to, ports) = (code(&exposure.destination), code(&exposure.ports.join(" ")));
    let conditions = conditions(&exposure.opens);
    joined(&[
        who,
        &to,
        " ",
        &ports,
        &conditions,
        &rules(&exposure.because),
    ])
}
