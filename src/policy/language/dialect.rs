//! Whose language a policy is in: one value, held by the policy, which every place asks that differs between the two
//! (docs/headscale-language.md).
//! Must not live here: how either is read (`read`, `headscale`) or judged, whatever both have in common.

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

    /// The dialect of this name.
    pub fn parse(name: &str) -> Option<Dialect> {
        Some(match name {
            "tailscale" => Dialect::Tailscale,
            "headscale" => Dialect::Headscale,
            _ => return None,
        })
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

    /// Whether users are named by tokens: a name, a mail address or an id of their provider, and not by one login.
    pub const fn names_users_by_token(self) -> bool {
        matches!(self, Dialect::Headscale)
    }
}
