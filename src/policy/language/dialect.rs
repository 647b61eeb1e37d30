//! Whose language a policy is in: one value, held by the policy, which every place asks that differs between the two
//! (docs/headscale-language.md).
//! Must not live here: how either is read (`read`, `headscale`) or judged, whatever both have in common.

use super::content::StringRole;
use super::known::{CAPABILITIES, CAPABILITIES_OF_HEADSCALE, NODE_ATTRIBUTES};
use super::selector::Autogroup;
use super::{headscale, ports};

/// The implementation that a policy is written for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Dialect {
    /// The service itself.
    #[default]
    Tailscale,
    /// Headscale, from its release 0.29.
    Headscale,
}

impl Dialect {
    /// Both names, as a refusal lists them.
    pub const NAMES: &'static str = "`tailscale` and `headscale` are";

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Tailscale => "tailscale",
            Dialect::Headscale => "headscale",
        }
    }

    /// The dialect of this name.
    pub fn parse(name: &str) -> Option<Dialect> {
        Some(match name {
            "tailscale" => Dialect::Tailscale,
            "headscale" => Dialect::Headscale,
            _ => return None,
        })
    }

    /// The dialect that the first line of a text names, `// tailnet-kit: dialect headscale`; none if it names none.
    pub fn written(text: &str) -> Option<Dialect> {
        let line = text.strip_prefix("//")?.lines().next()?.trim();
        let named = line.strip_prefix("tailnet-kit:")?.trim();
        Dialect::parse(named.strip_prefix("dialect ")?.trim())
    }

    /// The text to read: an empty one is no policy at all where that is a document.
    pub fn document(self, text: &str) -> &str {
        match (self, text) {
            (Dialect::Headscale, "") => "null",
            _ => text,
        }
    }

    /// What stands before the words for a text that is not HuJSON.
    pub const fn before_syntax(self) -> &'static str {
        match self {
            Dialect::Tailscale => "",
            Dialect::Headscale => "parsing HuJSON: ",
        }
    }

    /// Whether a refusal names every fault of a stage, and every failing test; otherwise it names the first.
    pub const fn tells_all_faults(self) -> bool {
        matches!(self, Dialect::Headscale)
    }

    /// Whether a document without acls and grants lets in every address, and not the tailnet's alone.
    pub const fn no_rules_let_in_all(self) -> bool {
        matches!(self, Dialect::Headscale)
    }

    /// Whether default routes are approved family by family, and not both or none.
    pub const fn approves_one_family(self) -> bool {
        matches!(self, Dialect::Headscale)
    }

    /// Whether an exit node is seen for what leads to all of the internet alone.
    pub const fn sees_exits_by_all_alone(self) -> bool {
        matches!(self, Dialect::Headscale)
    }

    /// Whether `*` behind `via` leads to every subnet, and a grant that opens nothing still shows its routers.
    pub const fn routes_all_by_via(self) -> bool {
        matches!(self, Dialect::Tailscale)
    }

    /// Whether a rule without `via` frees each route that it overlaps, and not only one that it covers; and of several routers with the
    /// tag of a `via` grant the first alone leads.
    pub const fn steers_by_overlap(self) -> bool {
        matches!(self, Dialect::Headscale)
    }

    /// The attribute that every device has where the document asks for random ports.
    pub const fn random_port_attribute(self) -> Option<&'static str> {
        match self {
            Dialect::Tailscale => None,
            Dialect::Headscale => Some("randomize-client-port"),
        }
    }

    /// Whether a rule for own names is received by its sources even where it leads to no device.
    pub const fn returns_own_names_from_nowhere(self) -> bool {
        matches!(self, Dialect::Headscale)
    }

    /// Whether a mail domain is the one that a rule names.
    pub fn is_domain(self, own: &str, named: &str) -> bool {
        match self {
            Dialect::Tailscale => own == named,
            Dialect::Headscale => own.eq_ignore_ascii_case(named),
        }
    }

    /// Whether a test holds where a prefix of its source overlaps that of a rule, and not where all of it is inside.
    pub const fn tests_by_overlap(self) -> bool {
        matches!(self, Dialect::Headscale)
    }

    /// Whether a period between two checks of a login should not be below a minute.
    pub const fn has_shortest_period(self) -> bool {
        matches!(self, Dialect::Tailscale)
    }

    /// Whether whoever owns a tag owns what that tag owns, at once and not as a second step.
    pub const fn inherits_tags(self) -> bool {
        matches!(self, Dialect::Headscale)
    }

    /// Whether a character may stand in the name of a tag behind the first, which is a letter.
    pub const fn may_be_in_tag(self, c: char) -> bool {
        match self {
            Dialect::Tailscale => c.is_ascii_alphanumeric() || c == '-',
            Dialect::Headscale => true,
        }
    }

    /// Why a name is none of a tag.
    pub const fn what_is_a_tag(self) -> &'static str {
        match self {
            Dialect::Tailscale => "is not a valid tag: a letter, then letters, digits or dashes",
            Dialect::Headscale => "is not a valid tag: it begins with a letter",
        }
    }

    /// What to do about a user that nobody knows.
    pub const fn advice_on_unknown_users(self) -> &'static str {
        match self {
            Dialect::Tailscale => "check the spelling, or invite the user",
            Dialect::Headscale => "check the spelling, or create the user",
        }
    }

    /// The groups of its own, which every policy may name.
    pub const fn autogroups(self) -> &'static [&'static str] {
        match self {
            Dialect::Tailscale => &Autogroup::NAMES,
            Dialect::Headscale => &Autogroup::OF_HEADSCALE,
        }
    }

    /// Whether such a group may own a tag, or approve a route.
    pub const fn lets_autogroups_own(self) -> bool {
        matches!(self, Dialect::Tailscale)
    }

    /// Whether `user:*@domain` is every user of a mail domain.
    pub const fn names_domains(self) -> bool {
        matches!(self, Dialect::Tailscale)
    }

    /// The protocols with a name.
    pub const fn protocols(self) -> &'static [(&'static str, u8)] {
        match self {
            Dialect::Tailscale => &ports::NAMES,
            Dialect::Headscale => &headscale::ports::NAMES,
        }
    }

    /// Node attributes that are in common use.
    pub fn node_attributes(self) -> &'static [&'static str] {
        match (self, NODE_ATTRIBUTES.split_first()) {
            (Dialect::Headscale, Some((_funnel, others))) => others,
            _ => &NODE_ATTRIBUTES,
        }
    }

    /// The capabilities of the service that a grant may give.
    pub const fn capabilities(self) -> &'static [&'static str] {
        match self {
            Dialect::Tailscale => &CAPABILITIES,
            Dialect::Headscale => &CAPABILITIES_OF_HEADSCALE,
        }
    }

    /// Whether blanks around a string in this role belong to it.
    pub const fn counts_blanks(self, role: StringRole) -> bool {
        use StringRole::{Approver, DestinationPorts, Member, Owner, TestDestination, TestSource};
        let counts = matches!(
            role,
            Approver | DestinationPorts | Member | Owner | TestDestination | TestSource
        );
        matches!(self, Dialect::Headscale) && counts
    }

    /// Whether users are named by tokens: a name, a mail address or an id of their provider, and not by one login.
    pub const fn names_users_by_token(self) -> bool {
        matches!(self, Dialect::Headscale)
    }
}
