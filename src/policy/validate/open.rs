//! Warnings about what is wider than it looks: rules of everybody, sources that are everywhere, tags that anybody may
//! take, funnels for all.
//! Must not live here: what is emptier than it looks (`empty`), rules that another one covers (`cover`).

use crate::cidr::{Prefix, Range};

use super::adviser::{Adviser, NARROW};
use crate::policy::findings::hint::Hint;
use crate::policy::findings::words::{joined, quoted};
use crate::policy::language::rule::{Rule, RuleOpening};
use crate::policy::language::selector::{Autogroup, Kind, Selector};

/// How many openings of a rule are searched for one of everything: a grant of a few lines can make millions.
const OPENINGS: usize = 1 << 16;

/// The addresses of all devices, of either family.
const ALL_DEVICES: [&str; 2] = ["100.64.0.0/10", "fd7a:115c:a1e0::/48"];

/// The attribute of devices that may publish to the internet.
const FUNNEL: &str = "funnel";

impl Adviser<'_> {
    /// Definitions that give something to everybody.
    #[inline(never)]
    pub(super) fn too_open(&mut self) {
        let policy = self.policy;
        for (tag, owners) in policy.tag_owners.iter() {
            for owner in owners.iter().filter(|owner| is_member(owner)) {
                let tag = quoted(tag.text);
                let message = joined(&["everybody may put ", &tag, " on their devices"]);
                let hint = Hint::marked("name who may, such as `autogroup:admin` or a group");
                self.warn("anyone_owns_tag", owner.span, message, Some(hint));
            }
        }
        for entry in &policy.node_attrs {
            let mut attributes = entry.attributes.iter();
            if !attributes.any(|word| word.name() == FUNNEL) {
                continue;
            }
            let is_wide = |to: &&Selector<'_>| is_any(to) || is_member(to);
            for target in entry.targets.iter().filter(is_wide) {
                let message = "everybody may open their devices to the internet".to_owned();
                let hint = Hint::words("name the devices: a tag, or a group of those who need it");
                self.warn("open_funnel", target.span, message, Some(hint));
            }
        }
    }

    /// Sources of a rule that are everywhere, and rules of everybody to everything: nothing else in the document matters then.
    pub(super) fn open_sources(&mut self, rule: &Rule<'_>) {
        for source in rule.sources {
            self.open_source(source);
        }
        let is_all = |from: &Selector<'_>| is_any(from) || is_member(from);
        let may_be = rule.sources.iter().any(is_all) && rule.destinations().any(is_any);
        if !may_be || !rule.postures.is_empty() || self.faults.are_in(rule.span) {
            return;
        }
        let is_all = |opening: RuleOpening<'_>| {
            is_any(opening.to) && opening.protocol.is_none() && opening.ports.is_all()
        };
        if rule.openings().take(OPENINGS).any(is_all) {
            let message = match rule.sources.iter().any(is_any) {
                true => "everyone reaches everything: no other rule matters",
                false => "every user reaches everything",
            };
            let hint = "name who needs what; a test with `deny` tells when it is too much";
            let hint = Hint::words(hint);
            self.warn("broad_rule", rule.span, message.to_owned(), Some(hint));
        }
    }

    fn open_source(&mut self, source: &Selector<'_>) {
        let is_everywhere = match source.kind {
            Kind::Autogroup(Autogroup::DangerAll) => true,
            Kind::Prefix | Kind::Range | Kind::Host if self.fine.get(source) & NARROW == 0 => {
                self.policy.range(source).is_some_and(has_all_devices)
            }
            _ => return,
        };
        if !is_everywhere {
            return self.fine.add(source, NARROW);
        }
        let is = match source.kind {
            Kind::Autogroup(_) => " is every address, in the tailnet or not",
            _ => " is every device, whoever has it",
        };
        let message = joined(&[&quoted(source.name()), is]);
        let hint = Hint::marked("name who needs it: a group, a tag, or `autogroup:member`");
        self.warn("open_source", source.span, message, Some(hint));
    }
}

fn is_any(selector: &Selector<'_>) -> bool {
    selector.kind == Kind::Any
}

fn is_member(selector: &Selector<'_>) -> bool {
    selector.kind == Kind::Autogroup(Autogroup::Member)
}

/// Whether a range holds the addresses of all devices, of one family.
fn has_all_devices(range: Range) -> bool {
    let mut all = ALL_DEVICES
        .iter()
        .filter_map(|text| Prefix::parse(text).ok());
    all.any(|all| range.first() <= all.first() && all.last() <= range.last())
}
