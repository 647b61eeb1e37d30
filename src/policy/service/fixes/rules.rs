//! What may be done about sources, routers and rules that are too wide.
//! Must not live here: definitions (`definitions`), tests (`tests`). Nothing here opens what was closed.

use crate::policy::findings::words::{did_you_mean, joined};
use crate::policy::language::content::Role;
use crate::policy::language::pieces::PieceKind;
use crate::policy::language::places::walk;
use crate::policy::tailnet::context::PolicyContext;

use super::{Fixes, quoted_parts, replacement, string};

impl Fixes<'_> {
    /// A login that stands behind `user:`; the one domain there is, where all of it is meant.
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

    /// The tag that is meant by something else.
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

    /// A rule of everyone to everything for members alone, to their own devices.
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
