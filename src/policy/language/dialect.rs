//! Whose language a policy is in: one value, held by the policy, which every place asks that differs between the two.
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
}
