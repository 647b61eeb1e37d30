//! Warnings about the conditions of postures: those that no device can fulfil together, and attributes that are misspelt.
//! Must not live here: conditions that cannot be read, whether a device fulfils one (`language::posture`).

use super::adviser::Adviser;
use crate::hujson::Span;
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::{Guesses, joined, quoted};
use crate::policy::language::document::Word;
use crate::policy::language::known::{ATTRIBUTES, NODE_ATTRIBUTES};
use crate::policy::language::posture::{Comparison, Condition};

impl Adviser<'_> {
    #[inline(never)]
    pub(super) fn conditions(&mut self) {
        let policy = self.policy;
        for (_, conditions) in policy.postures.iter() {
            self.together(conditions);
            for word in conditions {
                if let Some(condition) = Condition::parse(word.name()) {
                    self.attribute(condition.attribute, word.span, &ATTRIBUTES);
                }
            }
        }
        for entry in &policy.node_attrs {
            for word in &entry.attributes {
                self.attribute(word.name(), word.span, &NODE_ATTRIBUTES);
            }
        }
    }

    /// An attribute one edit away from a known one; all others may be somebody's own.
    fn attribute(&mut self, name: &str, span: Span, known: &[&str]) {
        if known.contains(&name) || name.starts_with("custom:") {
            return;
        }
        if let Some(meant) = Guesses::one_edit_away(name, known) {
            let message = joined(&["nothing sets the attribute ", &quoted(name)]);
            self.warn("unknown_attribute", span, message, Some(Hint::meant(meant)));
        }
    }

    /// Conditions on one attribute that exclude each other. Reports the first that does.
    fn together(&mut self, conditions: &[Word<'_>]) {
        // As many as people write: comparing each with all before it would take long in an unusual document.
        let mut known: Vec<(&Word<'_>, Condition<'_>)> = Vec::new();
        for word in conditions.iter().take(MOST) {
            let Some(condition) = Condition::parse(word.name()) else {
                continue;
            };
            let mut before = known.iter();
            let excluded = before.find(|(_, other)| {
                other.attribute == condition.attribute && other.test.excludes(&condition.test)
            });
            if let Some((other, of)) = excluded {
                let (own, other) = (quoted(word.name()), quoted(other.name()));
                let message = joined(&["no device fulfils both ", &other, " and ", &own]);
                let hint = match either(&of.test, &condition.test) {
                    Some(list) => {
                        let either = joined(&[of.attribute, " IN ", &list]);
                        Hint::remove(&["remove one of them; for either value write ", &either])
                    }
                    None => Hint::remove(&["remove one of them, or make two postures of them"]),
                };
                return self.warn("impossible_posture", word.span, message, Some(hint));
            }
            known.push((word, condition));
        }
    }
}

/// How many conditions of a posture are compared.
const MOST: usize = 64;

/// A list of the values of both, where both list values.
fn either(one: &Comparison<'_>, other: &Comparison<'_>) -> Option<String> {
    let (Comparison::In(one), Comparison::In(other)) = (one, other) else {
        return None;
    };
    let mut list = String::from("[");
    for (at, value) in one.iter().chain(other).enumerate() {
        list.push_str(if at > 0 { ", '" } else { "'" });
        list.push_str(value);
        list.push('\'');
    }
    list.push(']');
    Some(list)
}
