//! What is gained, lost or undecided at one destination, in the words of a summary.
//! Must not live here: which of it is shown, and in what order (summary.rs).

use super::markdown::{NAMED, code, few};
use super::place::{SaidPlace, but_family, from_of, source_part, to_of};
use super::reach::{Exposure, Public};
use crate::cidr::Version;
use crate::hujson;
use crate::policy::access_change::AccessReach;
use crate::policy::findings::words::joined;
use crate::policy::language::json::Json;
use crate::policy::language::login::SshAction;
use crate::policy::language::opening::{Opening, Unless};
use crate::policy::language::rule::{RuleRef, Section};
use crate::policy::powers::{Power, PowerKind};
use crate::policy::relation::item::Besides;
use crate::policy::relation::part_of::PartOf;
use crate::policy::relation::reported::vacancy_of;
use crate::policy::ssh_change::SshReach;
use crate::policy::tailnet::parties::{Party, PartyKind};
use crate::tables::sort;

/// What is said of one destination, or of one power.
pub struct Sentence<'r> {
    /// What is said before.
    pub verb: &'static str,
    /// Which.
    pub to: SaidPlace,
    /// What is said of it.
    pub rest: String,
    /// The family of the source that alone is meant, where nothing is said behind it.
    pub from: Option<Version>,
    /// Why it is undecided.
    pub after: String,
    /// Why nobody can use it today.
    pub today: Option<&'r str>,
    /// Whether that is because nobody is the source.
    pub is_of_source: bool,
    /// What is worse has less.
    pub weight: (u8, usize),
    /// The rules because of which it is said.
    pub because: &'r [RuleRef],
    /// Whether these are rules of the earlier document.
    pub is_earlier: bool,
}

impl Sentence<'_> {
    /// What is said of it, and of which family.
    pub fn said(&self) -> String {
        let from = self.from.map_or(PartOf::All, PartOf::Family);
        joined(&[&self.rest, &source_part(&from)])
    }

    /// Why it is undecided, or why nobody can use it today, said of some sources; what is so of each of them is one reason.
    pub fn reasons(&self, sources: &[&Party]) -> String {
        let today = match (self.is_of_source, sources) {
            (true, [source]) => today(Some(&vacancy_of(source))),
            (true, _) => " (nobody today: none of them has a device)".to_owned(),
            (false, _) => today(self.today),
        };
        joined(&[&self.after, &today])
    }
}

/// Access at one destination.
pub fn access(reach: &AccessReach) -> Sentence<'_> {
    access_from(reach, from_of(reach.part.as_ref()))
}

fn access_from<'r>(reach: &'r AccessReach, from: &PartOf) -> Sentence<'r> {
    let terms = match reach.opens.first() {
        Some(first) if reach.opens.iter().all(|it| is_alike(it, first)) => conditions(
            &first.postures,
            &first.via,
            &first.unless,
            reach.weight.is_earlier,
        ),
        Some(_) => " on several conditions".to_owned(),
        None => String::new(),
    };
    let tier = match reach.party.kind {
        PartyKind::Any => 0,
        _ if reach.weight.is_idle => 3,
        _ if reach.weight.besides != Besides::Nothing => 2,
        _ => 1,
    };
    Sentence {
        verb: "",
        to: SaidPlace::of(
            &reach.destination,
            reach.party.kind,
            to_of(reach.part.as_ref()),
        )
        .with(&reach.addresses),
        rest: joined(&[
            &ports(&reach.ports, &reach.closed),
            &forwarded(reach.forwarder()),
            &terms,
            &source_part(&but_family(from)),
        ]),
        from: from.family(),
        after: doubt(reach),
        today: reach.today.as_deref(),
        is_of_source: false,
        weight: (tier, reach.weight.popularity),
        because: &reach.because,
        is_earlier: reach.weight.is_earlier,
    }
}

/// Access that has other conditions, which the devices of today meet or miss alike.
pub fn access_anyhow(reach: &AccessReach) -> Sentence<'_> {
    let said = access(reach);
    let is_conditional = reach.is_conditional();
    let is_other = is_conditional || reach.why.is_some();
    Sentence {
        after: joined(&[&said.after, if is_other { ANYHOW } else { "" }]),
        today: said.today.filter(|_| !is_conditional),
        ..said
    }
}

/// The same of logins.
pub fn login_anyhow(reach: &SshReach) -> Sentence<'_> {
    let said = login(reach);
    let is_free = reach.unless.is_empty();
    let is_undecided = reach.is_doubtful() || is_free;
    let why = reach.why.as_deref().filter(|_| is_undecided);
    let is_other = !is_free || why.is_some();
    Sentence {
        after: joined(&[&after(why, &[]), if is_other { ANYHOW } else { "" }]),
        today: said.today.filter(|_| !is_other),
        ..said
    }
}

/// Why it is undecided; that somebody may have had it already is no reason to doubt a gain.
fn doubt(reach: &AccessReach) -> String {
    let why = reach.why.as_deref().filter(|_| !reach.weight.is_gained);
    after(why, &reach.needs)
}

const ANYHOW: &str = " (no other difference for what devices report today)";

/// Logins at one destination.
pub fn login(reach: &SshReach) -> Sentence<'_> {
    let terms = conditions(&reach.postures, &[], &reach.unless, reach.is_earlier);
    login_given(reach, &terms)
}

/// The same on conditions in words.
pub fn login_given<'r>(reach: &'r SshReach, terms: &str) -> Sentence<'r> {
    let users = reach.users.iter().take(NAMED).map(|user| code(user));
    let users = few(users.collect(), reach.users.len(), ", ");
    let how = match reach.action {
        SshAction::Check => " after a check",
        SshAction::Accept => "",
    };
    let network = match reach.network {
        Some(true) => "",
        Some(false) => " (no network rule opens port 22 for it)",
        None => " (whether the network opens port 22 is undecided)",
    };
    let from = from_of(reach.part.as_ref());
    let is_last = network.is_empty();
    let shown = match is_last {
        true => but_family(from),
        false => from.clone(),
    };
    let tier = match (reach.network, reach.today.is_some()) {
        (Some(false), _) | (_, true) => 3,
        _ if reach.users.iter().any(|user| user == "root") => 1,
        _ => 2,
    };
    Sentence {
        verb: "",
        to: SaidPlace::of(
            &reach.destination,
            reach.party.kind,
            to_of(reach.part.as_ref()),
        ),
        rest: joined(&[" as ", &users, how, terms, &source_part(&shown), network]),
        from: from.family().filter(|_| is_last),
        after: after(reach.why.as_deref(), &[]),
        today: reach.today.as_deref(),
        is_of_source: false,
        weight: (tier, 0),
        because: &reach.because,
        is_earlier: reach.is_earlier,
    }
}

/// Logins that are gained: that somebody may have had them already is no reason to doubt it.
pub fn gained_login(reach: &SshReach) -> Sentence<'_> {
    Sentence {
        after: String::new(),
        ..login(reach)
    }
}

/// Access of all of a source to everything, whatever of it some of the source had before.
pub fn access_to_all(reach: &AccessReach) -> Sentence<'_> {
    Sentence {
        to: SaidPlace::of(&reach.destination, PartyKind::Any, &PartOf::All),
        ..access_from(reach, &PartOf::All)
    }
}

/// A power, behind `may now` or `may no longer`.
pub fn power(power: &Power) -> Sentence<'_> {
    let what = code(&power.what);
    let (verb, to, rest, tier) = match power.kind {
        PowerKind::Tag => ("put ", what, " on a device", 1),
        PowerKind::Route => ("have routes in ", what, " approved unasked", 2),
        PowerKind::ExitNode => ("", "become an exit node unasked".to_owned(), "", 2),
        PowerKind::Service => ("serve ", what, " unasked", 2),
        PowerKind::Attribute if power.what == "funnel" => {
            ("open itself to the internet by ", what, "", 0)
        }
        PowerKind::Attribute => ("use the attribute ", what, "", 3),
        PowerKind::Capability => ("use the capability ", what, "", 2),
        PowerKind::Recorder => ("record SSH sessions at ", what, "", 3),
    };
    let mut through = power.through.clone();
    through.retain(|tag| *tag != power.who);
    let through = match through.is_empty() {
        true => String::new(),
        false => joined(&[", having ", &code(&through.join(" → ")), " first"]),
    };
    let mut opened = Vec::new();
    for reach in power.opens.iter().flat_map(|opens| opens.iter()) {
        opened.push(access(reach));
    }
    sort::sort_by(&mut opened, |one, other| one.weight.cmp(&other.weight));
    let count = opened.len();
    let opened = opened.into_iter().take(NAMED);
    let opened: Vec<String> = opened
        .map(|it| joined(&[&it.to.text(), &it.said()]))
        .collect();
    let opens = match (count, power.kind) {
        (0, PowerKind::Tag) => " (the tag reaches nothing)".to_owned(),
        (0, _) => String::new(),
        _ => joined(&[" (the tag reaches ", &few(opened, count, ", "), ")"]),
    };
    Sentence {
        verb,
        to: SaidPlace::plain(to),
        rest: joined(&[rest, &value(power), &through, &opens]),
        from: None,
        after: after(power.why.as_deref(), &[]),
        today: power.today.as_deref(),
        is_of_source: false,
        weight: (tier, 0),
        because: &[],
        is_earlier: false,
    }
}

/// Where a capability is used and with what, or whose sessions are recorded.
fn value(power: &Power) -> String {
    let Some(Ok(document)) = power
        .value
        .as_ref()
        .map(|value| hujson::parse(value.as_str()))
    else {
        return String::new();
    };
    let mut text = String::new();
    for (before, key) in [
        (" on ", "on"),
        (" of ", "src"),
        (" as ", "users"),
        (" with ", "app"),
        (" given ", "srcPosture"),
    ] {
        if let Some(value) = document.root().get(key) {
            let is_names = key != "app";
            let names: Vec<String> = match Json::of(value) {
                Json::List(values) if is_names => values
                    .iter()
                    .filter_map(|value| value.as_str().map(code))
                    .collect(),
                value => vec![code(
                    &value.as_str().map_or_else(|| value.text(), String::from),
                )],
            };
            let shown = names.iter().take(NAMED).cloned().collect();
            let between = if key == "srcPosture" { " or " } else { ", " };
            text.push_str(&joined(&[before, &few(shown, names.len(), between)]));
        }
    }
    let enforced = document.root().get("enforceRecorder").map(Json::of);
    if enforced.is_some_and(|value| value.text() == "true") {
        text.push_str(" with `enforceRecorder`");
    }
    text
}

/// The device that forwards, where only what goes through it is meant.
fn forwarded(by: Option<&str>) -> String {
    by.map_or(String::new(), |name| {
        joined(&[" forwarded by ", &code(name)])
    })
}

/// What is open there.
fn ports(open: &[String], closed: &[String]) -> String {
    match open {
        [one] if one == "*" => " on all ports".to_owned(),
        [one] if one == "ping" => " by ping alone".to_owned(),
        ports if !closed.is_empty() && closed.len() < ports.len() => {
            joined(&[" on all ports but ", &code(&closed.join(" "))])
        }
        ports => joined(&[" on ", &code(&ports.join(" "))]),
    }
}

/// Whether two openings depend on the same.
fn is_alike(one: &Opening, other: &Opening) -> bool {
    (&one.postures, &one.via, &one.unless) == (&other.postures, &other.via, &other.unless)
}

/// The conditions; in a difference also those that the other document has instead.
fn conditions(postures: &[String], via: &[String], unless: &Unless, is_earlier: bool) -> String {
    let own = terms(postures, via);
    if unless.is_empty() {
        return own;
    }
    let others = Vec::from_iter(unless.each());
    let other = others.iter().map(|(postures, via)| terms(postures, via));
    let other = Vec::from_iter(other).join(" or");
    // A name that both have has not gone.
    let both = others.iter().any(|(known, routers)| {
        postures.iter().any(|name| known.contains(name))
            || via.iter().any(|name| routers.contains(name))
    });
    let needs_posture = others.iter().any(|(postures, _)| !postures.is_empty());
    let only = if unless.is_perhaps { "at most" } else { "only" };
    let gone = if both { ", before" } else { ", no longer" };
    // What has all of its names in the other document, too, has other conditions there.
    let (known, routers) = match others[..] {
        [only] => only,
        _ => Default::default(),
    };
    let mut further = known.to_vec();
    further.retain(|name| !postures.contains(name));
    let is_redefined =
        via == routers && further.len() + postures.len() == known.len() && !postures.is_empty();
    let or = terms(&further, &[]);
    let or = match or.is_empty() {
        true => or,
        false => joined(&[" (or", &or, ")"]),
    };
    match (is_redefined, own.is_empty(), is_earlier) {
        (true, _, true) => joined(&[&own, ", whose conditions are tighter now", &or]),
        (true, _, false) => joined(&[&own, ", whose conditions are looser now", &or]),
        (_, true, true) => joined(&[" now ", only, &other]),
        (_, true, false) => joined(&[", before ", only, &other]),
        (_, false, true) => joined(&[" now ", only, &other, gone, &own]),
        // What was enough before may still be: one more posture has not taken its place.
        (_, false, false) if !both && !postures.is_empty() && needs_posture => {
            joined(&[&own, ", which was not enough before (", only, &other, ")"])
        }
        (_, false, false) => joined(&[&own, ", before ", only, &other]),
    }
}

/// Postures and tags of a condition.
pub fn terms(postures: &[String], via: &[String]) -> String {
    let mut text = String::new();
    for (before, names) in [(" with ", postures), (" through ", via)] {
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| code(name)).collect();
            text.push_str(&joined(&[before, &names.join(" or ")]));
        }
    }
    text
}

/// Why it is undecided, and which members of the context would decide it.
fn after(why: Option<&str>, needs: &[&str]) -> String {
    why.map_or(String::new(), |why| {
        let needs = match needs.is_empty() {
            true => String::new(),
            false => joined(&["; the context decides it by ", &code(&needs.join(" "))]),
        };
        joined(&[" (", &code(why), &needs, ")"])
    })
}

/// Why nobody can use it today.
fn today(why: Option<&str>) -> String {
    why.map_or(String::new(), |why| {
        joined(&[" (nobody today: ", &code(why), ")"])
    })
}

/// The rules that open it, as positions in the text of their document.
pub fn rules(because: &[RuleRef], is_earlier: bool) -> String {
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
    let of = if is_earlier { " of the old text" } else { "" };
    match named.is_empty() {
        true => String::new(),
        false => joined(&[" — ", &few(named, rules.len(), ", "), of]),
    }
}

/// Something that is newly open to many.
pub fn exposure(exposure: &Exposure) -> (u8, String) {
    let (tier, who) = match exposure.to {
        Public::Anyone => (0, "any address reaches "),
        Public::Outsiders => (1, "outsiders reach "),
        Public::Everybody => (2, "everybody reaches "),
    };
    let first = exposure.opens.first();
    let terms = first.map_or(String::new(), |it| {
        conditions(&it.postures, &it.via, &it.unless, false)
    });
    let is_any = exposure.party.kind == PartyKind::Any;
    let part = exposure.part.as_ref();
    let kind = exposure.party.kind;
    let text = joined(&[
        who,
        &SaidPlace::of(
            &exposure.destination,
            kind,
            to_of(part.filter(|_| !exposure.is_all)),
        )
        .text(),
        &ports(&exposure.ports, &exposure.closed),
        &forwarded(exposure.forwarder()),
        &terms,
        &today(exposure.today.as_deref()),
        &rules(&exposure.because, false),
    ]);
    (2 * tier + u8::from(!is_any), text)
}
