//! Fixes of sources and routers, and of rules that are too wide. None of them gives more access.
//! Must not live here: definitions (`definitions`), tests (`tests`).

use crate::policy::findings::words::{did_you_mean, joined};
use crate::policy::language::content::Role;
use crate::policy::language::pieces::PieceKind;
use crate::policy::language::places::walk;
use crate::policy::tailnet::context::PolicyContext;

use super::{Fixes, quoted_parts, replacement, string};

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
        self.whole(&string(&meant));
    }

    /// Writes the tag that another name is meant for.
    #[inline(never)]
    pub(super) fn via(&mut self) {
        let name = self.text();
        let own = name.rsplit_once(':').map_or(name, |(_, own)| own);
        let tag = joined(&["tag:", own]);
        let near = did_you_mean(&tag, &mut self.policy.tag_owners.names());
        for tag in quoted_parts(&near.unwrap_or_default()) {
            self.whole(&string(tag));
        }
    }

    /// Narrows a rule of everyone to everything to members and their own devices.
    #[inline(never)]
    pub(super) fn narrow(&mut self) {
        let mut edits = Vec::new();
        walk(self.document, &mut |place, _| {
            let at = place.value.span();
            let to = match place.role {
                _ if at.start < self.span.start || self.span.end < at.end => return,
                Role::Source => "autogroup:member",
                Role::Destination | Role::DestinationPorts => "autogroup:self",
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
