//! What may be done about sources, routers and rules that are too wide.
//! Must not live here: definitions (`definitions`), tests (`tests`). Nothing here opens what was closed.

use crate::hujson::{Edit, Issue, Value, pointer};
use crate::policy::findings::words::{did_you_mean, joined};
use crate::policy::language::content::Role;
use crate::policy::language::pieces::PieceKind;
use crate::policy::language::places::walk;
use crate::policy::tailnet::topology::Topology;

use super::{Fixes, quoted_parts, replacement, string};

impl Fixes<'_> {
    /// A login that stands behind `user:`; the one domain there is, where all of it is meant.
    pub(super) fn login(&mut self, topology: &Topology) {
        let rest = self.text().strip_prefix("user:").unwrap_or_default();
        let Some((local, domain)) = rest.split_once('@') else {
            return;
        };
        let meant = match topology.domains.as_deref() {
            _ if !matches!(local, "" | "*") => rest.to_owned(),
            Some([own]) if domain.is_empty() => joined(&["user:*@", own]),
            _ => return,
        };
        self.whole(&string(&meant));
    }

    /// Members where they are meant by a source that is none, `accept` where a check asks nobody; or the rule without it.
    pub(super) fn source(&mut self, issue: &Issue) {
        if issue.message.contains("\"check\"") {
            self.unchecked(issue);
        } else if matches!(self.text(), "*" | "autogroup:self") {
            self.whole("\"autogroup:member\"");
        }
        self.take_out(issue);
    }

    /// `accept` in place of `check`, if all sources of the rule are tagged.
    fn unchecked(&mut self, issue: &Issue) {
        let is_tagged = |source: &Value<'_>| {
            let name = source.as_str().unwrap_or_default().trim();
            name.starts_with("tag:") || name == "autogroup:tagged"
        };
        let all = self.holder().map(Value::elements);
        let Some((rule, _)) = rule_of(issue)
            .filter(|_| all.is_some_and(|mut all| all.all(|source| is_tagged(&source))))
        else {
            return;
        };
        let rules = self.policy.ssh.iter();
        let mut actions = rules.filter_map(|known| Some((known.span, known.action.as_ref()?)));
        let found = pointer::find(self.document, &rule).map(Value::span);
        if let Some((_, action)) = actions.find(|(span, _)| Some(*span) == found) {
            self.put("Write \"accept\"".to_owned(), action.span, "\"accept\"");
        }
    }

    /// The tag that is meant by something else, or the rule without it. A rule with no router named would open more.
    pub(super) fn via(&mut self, issue: &Issue) {
        let name = self.text();
        let own = name.rsplit_once(':').map_or(name, |(_, own)| own);
        let tag = joined(&["tag:", own]);
        let near = match self.policy.tag_owners.contains(&tag) {
            true => Some(joined(&["`", &tag, "`"])),
            false => did_you_mean(&tag, &mut self.policy.tag_owners.names()),
        };
        for tag in quoted_parts(&near.unwrap_or_default()) {
            self.put(joined(&["Write ", tag]), self.span, &string(tag));
        }
        self.take_out(issue);
    }

    /// The list without this entry; the document without the rule where that was all of it.
    fn take_out(&mut self, issue: &Issue) {
        let count = self.holder().map_or(0, |list| list.elements().count());
        let Some((_, mut path)) = rule_of(issue) else {
            return;
        };
        let before = self.found.len();
        if count > 1 {
            let path = issue.pointer.as_deref().and_then(pointer::tokens);
            let path = path.unwrap_or_default();
            self.edit("Remove it".to_owned(), &[Edit::Remove { path }]);
        } else {
            path.truncate(2);
            self.edit("Remove the rule".to_owned(), &[Edit::Remove { path }]);
        }
        self.choices(before);
    }

    /// A rule of everyone to everything for members alone, to their own devices or to everything.
    pub(super) fn narrow(&mut self) {
        let (mut sources, mut all) = (Vec::new(), Vec::new());
        walk(self.document, &mut |place, _| {
            let at = place.value.span();
            if at.start < self.span.start || self.span.end < at.end {
                return;
            }
            for part in place.pieces() {
                let to = match place.role {
                    _ if part.kind != PieceKind::Any => continue,
                    Role::Source => "autogroup:member",
                    Role::Destination | Role::DestinationPorts => "autogroup:self",
                    _ => continue,
                };
                all.push(replacement(part.span, to));
                if place.role == Role::Source {
                    sources.push(replacement(part.span, to));
                }
            }
        });
        let before = self.found.len();
        self.splice("Let members reach their own devices alone".to_owned(), all);
        self.splice("Let members alone reach everything".to_owned(), sources);
        self.choices(before);
    }
}

/// The pointer of the rule in which an entry of a list stands, and the way to the entry.
fn rule_of(issue: &Issue) -> Option<(String, Vec<String>)> {
    let path = issue.pointer.as_deref().and_then(pointer::tokens)?;
    match &path[..] {
        [section, index, _, _] => {
            let rule = joined(&["/", &pointer::escape(section), "/", index]);
            Some((rule, path))
        }
        _ => None,
    }
}
