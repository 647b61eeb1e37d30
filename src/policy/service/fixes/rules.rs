//! Fixes of sources and routers, and of rules that are too wide or never let anybody in. Only the last gives more access, and is
//! never preferred.
//! Must not live here: definitions (`definitions`), tests (`tests`).

use crate::hujson::{Edit, string_of};
use crate::policy::findings::finding::Finding;
use crate::policy::findings::hint::Write;
use crate::policy::findings::words::{joined, nearest};
use crate::policy::language::content::StringRole;
use crate::policy::language::pieces::PieceKind;
use crate::policy::language::places::walk;
use crate::policy::language::ports::NAMES;
use crate::policy::language::rule::{Lines, Section};
use crate::policy::tailnet::context::PolicyContext;

use super::{Fixes, replacement, section_of};

/// What programs speak, and the protocol below it.
const SPOKEN: [(&str, &str); 6] = [
    ("http", "tcp"),
    ("https", "tcp"),
    ("ssh", "tcp"),
    ("tls", "tcp"),
    ("ntp", "udp"),
    ("quic", "udp"),
];

impl Fixes<'_> {
    /// Writes the login after `user:`; the only domain, where all of its users are meant.
    #[inline(never)]
    pub(super) fn login(&mut self, context: &PolicyContext) {
        let rest = self.text().strip_prefix("user:").unwrap_or_default();
        let meant = match (rest.split_once('@'), context.domains.as_deref()) {
            (Some(("*" | "", "")), Some([own])) => joined(&["user:*@", own]),
            (Some((local, _)), _) if !matches!(local, "" | "*") => rest.to_owned(),
            _ => return,
        };
        self.whole(&string_of(&meant));
    }

    /// Writes the tag that another name is meant for.
    #[inline(never)]
    pub(super) fn via(&mut self) {
        let name = self.text();
        let own = name.rsplit_once(':').map_or(name, |(_, own)| own);
        let tag = joined(&["tag:", own]);
        let near = nearest(&tag, &mut self.policy.tag_owners.names());
        if let Some([Write::Text(tag)]) = near.as_ref().map(|near| &near.write[..]) {
            self.whole(&string_of(tag));
        }
    }

    /// Writes the protocol that another name is meant for: the one below that of a program, or the nearest. Where none is near, offers the two that
    /// most programs speak.
    #[inline(never)]
    pub(super) fn protocol(&mut self) {
        let text = self.text();
        let (name, ports) = match text.split_once(':') {
            Some((name, ports)) => (name.to_owned(), joined(&[":", ports])),
            None => (text.to_owned(), String::new()),
        };
        let below = SPOKEN.iter().find(|(of, _)| name.eq_ignore_ascii_case(of));
        if let Some((_, known)) = below {
            return self.whole(&string_of(&joined(&[known, &ports])));
        }
        let near = nearest(&name, &mut NAMES.iter().map(|(name, _)| *name));
        if let Some([Write::Text(known)]) = near.as_ref().map(|near| &near.write[..]) {
            return self.whole(&string_of(&joined(&[known, &ports])));
        }
        let since = self.found.len();
        for known in ["tcp", "udp"] {
            self.whole(&string_of(&joined(&[known, &ports])));
        }
        self.choices(since);
    }

    /// Removes the rule that needs no posture.
    #[inline(never)]
    pub(super) fn without_posture(&mut self, finding: &Finding) {
        let mut rules = self.policy.rules();
        let Some(rule) = rules.find(|rule| Some(rule.span.start) == finding.by) else {
            return;
        };
        let line = Lines::new(self.document.text()).line_of(rule.span.start);
        let section = match rule.section {
            Section::Acls => "acls",
            _ => "grants",
        };
        if let Some(section) = section_of(self.policy, section) {
            let path = vec![section, rule.index.to_string()];
            let title = joined(&["Remove the rule at line ", &line.to_string()]);
            self.edit(&title, &[Edit::Remove { path }]);
        }
    }

    /// Narrows a rule of everyone to everything to members and their own devices.
    #[inline(never)]
    pub(super) fn narrow(&mut self) {
        let mut edits = Vec::new();
        walk(self.document, self.policy.dialect, &mut |place, _| {
            let at = place.value.span();
            let to = match place.role {
                _ if at.start < self.span.start || self.span.end < at.end => return,
                StringRole::Source => "autogroup:member",
                StringRole::Destination | StringRole::DestinationPorts => "autogroup:self",
                _ => return,
            };
            for part in place.pieces() {
                if part.kind == PieceKind::Any {
                    edits.push(replacement(part.span, to));
                }
            }
        });
        let before = self.found.len();
        self.splice("Let members reach their own devices alone", edits);
        self.choices(before);
    }
}
