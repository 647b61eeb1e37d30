//! Destinations and parts in the words of a summary, with what of them is not meant.
//! Must not live here: what is said of a destination (words.rs), which part is meant (relation/parts.rs).

use std::borrow::Cow;

use super::markdown::{LETTERS, NAMED, code, few};
use crate::policy::access_change::Part;
use crate::policy::findings::words::joined;
use crate::policy::relation::part_of::{PartOf, family_text};
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
    /// A destination of which this part is meant.
    pub fn of(name: &str, kind: PartyKind, meant: &PartOf) -> SaidPlace {
        let but = match meant {
            PartOf::AllBut(names) => names.clone(),
            _ => Vec::new(),
        };
        let only = if but.is_empty() { meant } else { &PartOf::All };
        let all = match kind {
            PartyKind::Any => "everything (`*`)".to_owned(),
            _ => code(name),
        };
        let family = only.family();
        let said = match (kind, family) {
            (PartyKind::Any, Some(family)) => joined(&["everything over ", family_text(family)]),
            (PartyKind::Any, None) => joined(&[&all, &part("", only)]),
            _ => joined(&[&all, &part("only ", only)]),
        };
        let name = match only.is_all() {
            true => name.to_owned(),
            false => joined(&[name, " (", &only.text(), ")"]),
        };
        SaidPlace {
            said,
            name,
            but,
            is_part: !only.is_all(),
            whole: (family.is_some() && kind != PartyKind::Any).then_some(all),
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

/// Which part of a destination is meant.
pub fn to_of(part: Option<&Part>) -> &PartOf {
    part.map_or(&PartOf::All, |part| &part.to)
}

/// Which part of a source is meant.
pub fn from_of(part: Option<&Part>) -> &PartOf {
    part.map_or(&PartOf::All, |part| &part.from)
}

/// A part that is more than a family.
pub fn but_family(part: &PartOf) -> PartOf {
    match part {
        PartOf::Family(_) => PartOf::All,
        part => part.clone(),
    }
}

/// Which part of a source is meant, in words.
pub fn source_part(from: &PartOf) -> String {
    match from {
        PartOf::AllBut(but) => joined(&[" (from all", &exceptions(but), ")"]),
        from => part("only from ", from),
    }
}

/// Which part is meant, in words.
fn part(only: &str, meant: &PartOf) -> String {
    let texts = meant.texts();
    let name = |text: &String| match meant {
        PartOf::Unowned => text.clone(),
        _ => code(text),
    };
    let names = texts.iter().take(NAMED).map(name).collect();
    match texts.len() {
        0 => String::new(),
        count => joined(&[" (", only, &few(names, count, ", "), ")"]),
    }
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
