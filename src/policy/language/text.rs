//! A text with the dialect that it is to be read in. Must not live here: what differs between dialects (`dialect`).

use super::dialect::Dialect;

/// The text of a policy, and whose language it is in.
///
/// A text alone is in the dialect that its first line names, else in that of the service; a text with a dialect is in that.
///
/// ```
/// use tailnet_kit::policy::{Dialect, PolicyText};
///
/// let marked = PolicyText::from("// tailnet-kit: dialect headscale\n{}");
/// assert_eq!(marked.dialect, Dialect::Headscale);
/// assert_eq!(PolicyText::from("{}").dialect, Dialect::Tailscale);
/// assert_eq!(PolicyText::from(("{}", Dialect::Headscale)).dialect, Dialect::Headscale);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolicyText<'t> {
    /// The text.
    pub text: &'t str,
    /// Whose language it is in.
    pub dialect: Dialect,
}

impl<'t> From<&'t str> for PolicyText<'t> {
    fn from(text: &'t str) -> PolicyText<'t> {
        let dialect = Dialect::written(text).unwrap_or_default();
        PolicyText { text, dialect }
    }
}

impl<'t> From<&'t String> for PolicyText<'t> {
    fn from(text: &'t String) -> PolicyText<'t> {
        PolicyText::from(text.as_str())
    }
}

impl<'t> From<(&'t str, Dialect)> for PolicyText<'t> {
    fn from((text, dialect): (&'t str, Dialect)) -> PolicyText<'t> {
        PolicyText { text, dialect }
    }
}
