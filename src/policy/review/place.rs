//! Destinations and parts in the words of a summary, with what of them is not meant.
//! Must not live here: what is said of a destination (words.rs), which part is meant (relation/parts.rs).

use std::borrow::Cow;

use super::markdown::{LETTERS, NAMED, code, few};
use crate::policy::access_change::Part;
use crate::policy::findings::words::joined;
use crate::policy::relation::meant::NO_DEVICE;
use crate::policy::tailnet::parties::PartyKind;
use crate::tables::index::Index;

/// Before what of something is not meant.
const BUT: &str = " but ";

/// A destination, or what a power is about.
#[derive(Clone, PartialEq, Eq)]
pub struct SaidPlace {
    /// It, and which part of it is meant.
    said: String,
    /// How it is called among what is not meant of another.
    name: String,
    /// What of it is not meant.
    but: Vec<String>,
    /// Whether only a part of it is meant.
    is_part: bool,
    /// How all of it is called, where one family of it is meant.
    whole: Option<String>,
    /// Its addresses, where these may be called so among what is not meant of another.
    addresses: Vec<String>,
}

impl SaidPlace {
    /// A destination of which these parts are meant; all of it where there are none.
    pub fn of(name: &str, kind: PartyKind, parts: &[String]) -> SaidPlace {
        let but = all_but(parts).unwrap_or_default();
        let only = if but.is_empty() { parts } else { &[] };
        let all = match kind {
            PartyKind::Any => "everything (`*`)".to_owned(),
            _ => code(name),
        };
        let is_family = matches!(only, [family] if matches!(family.as_str(), "IPv4" | "IPv6"));
        let said = match (kind, only) {
            (PartyKind::Any, [family]) if is_family => joined(&["everything over ", family]),
            (PartyKind::Any, _) => joined(&[&all, &part("", only)]),
            _ => joined(&[&all, &part("only ", only)]),
        };
        let name = match only {
            [] => name.to_owned(),
            parts => joined(&[name, " (", &parts.join(", "), ")"]),
        };
        SaidPlace {
            said,
            name,
            but,
            is_part: !only.is_empty(),
            whole: (is_family && kind != PartyKind::Any).then_some(all),
            addresses: Vec::new(),
        }
    }

    /// What is said as it is.
    pub fn plain(said: String) -> SaidPlace {
        SaidPlace {
            name: said.clone(),
            said,
            but: Vec::new(),
            is_part: false,
            whole: None,
            addresses: Vec::new(),
        }
    }

    /// The same with its addresses.
    pub fn with(mut self, addresses: &[String]) -> SaidPlace {
        if !self.is_part {
            self.addresses = addresses.to_vec();
        }
        self
    }

    /// The words.
    pub fn text(&self) -> String {
        joined(&[&self.said, &exceptions(&self.but)])
    }

    /// Whether another one says that it is not meant.
    fn is_excepted_by(&self, other: &SaidPlace) -> bool {
        let mut own = self.addresses.iter();
        other.but.contains(&self.name)
            || !self.addresses.is_empty() && own.all(|it| other.but.contains(it))
    }

    /// Takes in another one that it says is not meant: what is not meant of that one stays out.
    fn take_in(&mut self, other: &SaidPlace) {
        let is_said = |name: &String| *name == other.name || other.addresses.contains(name);
        self.but.retain(|name| !is_said(name));
        self.but.extend_from_slice(&other.but);
    }
}

/// Several destinations of which the same is said: what one of them excepts and another is, is not excepted.
pub fn places(all: &[&SaidPlace]) -> String {
    let mut named: Vec<Cow<'_, SaidPlace>> =
        all.iter().map(|place| Cow::Borrowed(*place)).collect();
    while let Some((at, excepted)) = excepted(&named) {
        let other = named.get(excepted).cloned();
        if let (Some(place), Some(other)) = (named.get_mut(at), other) {
            place.to_mut().take_in(&other);
        }
        named.remove(excepted);
    }
    join_families(&mut named);
    let mut texts: Vec<String> = Vec::with_capacity(named.len().min(NAMED));
    let mut is_after = false;
    for place in named.iter().take(NAMED) {
        // What follows an exception would read as one more.
        texts.push(joined(&[
            if is_after { "also " } else { "" },
            &place.text(),
        ]));
        is_after = !place.but.is_empty();
    }
    few(texts, named.len(), ", ")
}

/// Makes one of both families of a destination.
fn join_families(named: &mut Vec<Cow<'_, SaidPlace>>) {
    let mut known = Index::default();
    let mut joined: Vec<Cow<'_, SaidPlace>> = Vec::with_capacity(named.len());
    for place in named.drain(..) {
        let Some(whole) = place.whole.clone() else {
            joined.push(place);
            continue;
        };
        let at = known.find(&whole).unwrap_or(joined.len());
        match joined.get_mut(at) {
            Some(other) => *other = Cow::Owned(SaidPlace::plain(whole)),
            None => {
                known.set(whole.into(), at);
                joined.push(place);
            }
        }
    }
    *named = joined;
}

/// The index of a destination and that of another one that it says is not meant.
fn excepted(all: &[Cow<'_, SaidPlace>]) -> Option<(usize, usize)> {
    let places = all.iter().enumerate();
    let mut places = places.filter(|(_, place)| !place.but.is_empty());
    places.find_map(|(at, place)| {
        let mut others = all.iter().enumerate();
        let (other, _) = others.find(|(other, it)| *other != at && it.is_excepted_by(place))?;
        Some((at, other))
    })
}

/// Which part of a source is meant, where it is one.
pub fn only_from(name: &str) -> String {
    part("only from ", &[name.to_owned()])
}

/// Which part of a source is meant, in words.
pub fn source_part(from: Option<&Part>) -> String {
    let names = from.map_or(&[][..], |part| &part.from);
    match all_but(names) {
        Some(but) => joined(&[" (from all", &exceptions(&but), ")"]),
        None => part("only from ", names),
    }
}

/// Which part is meant, in words.
fn part(only: &str, parts: &[String]) -> String {
    match parts.is_empty() {
        true => String::new(),
        false => {
            let name = |part: &String| match part.as_str() {
                NO_DEVICE => part.clone(),
                name => code(name),
            };
            let names = parts.iter().take(NAMED).map(name).collect();
            joined(&[" (", only, &few(names, parts.len(), ", "), ")"])
        }
    }
}

/// The names that a part leaves out, where it is all but them.
fn all_but(parts: &[String]) -> Option<Vec<String>> {
    let [one] = parts else {
        return None;
    };
    let (mut names, mut depth) = (vec![String::new()], 0_usize);
    for piece in one.strip_prefix("all but ")?.split_inclusive(", ") {
        let is_inner = depth > 0;
        depth = (depth + piece.matches('(').count()).saturating_sub(piece.matches(')').count());
        match names.last_mut().filter(|name| is_inner || name.is_empty()) {
            Some(name) => name.push_str(piece),
            None => names.push(piece.to_owned()),
        }
    }
    for name in &mut names {
        name.truncate(name.trim_end_matches(", ").len());
    }
    Some(names)
}

/// What is not meant: the names that fit in a code span, and how many more there are.
fn exceptions(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let mut length = 0;
    let fitting = names.iter().take_while(|name| {
        length += name.chars().count() + 2;
        length <= LETTERS + 2
    });
    let shown = fitting.count().max(1);
    let text = names.get(..shown).unwrap_or_default().join(", ");
    joined(&[BUT, &few(vec![code(&text)], 1 + names.len() - shown, "")])
}
