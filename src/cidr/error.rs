//! Why a text is not an address, prefix or range: a stable code, a message, and a correction if only one
//! is possible. Must not live here: the parsers that find the fault.

use core::fmt;

/// What is wrong with a text that should be an address, a prefix or a range.
///
/// `Display` gives the message: lower case, the text in backticks, no full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: Kind,
    text: String,
    suggestion: Option<String>,
}

/// The faults, one for each rule that can be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Empty,
    NotAnAddress,
    UnexpectedCharacter,
    OctetEmpty,
    OctetTooLarge,
    OctetLeadingZero,
    OctetsTooFew,
    OctetsTooMany,
    GroupEmpty,
    GroupTooLong,
    GroupsTooFew,
    GroupsTooMany,
    TwoEllipses,
    EllipsisOfNothing,
    EmbeddedPlace,
    Zone,
    LengthMissing,
    LengthNotNumber,
    LengthLeadingZero,
    LengthAbove32,
    LengthAbove128,
    BareAddress,
    HostBits,
    Ipv4Mapped,
    Ipv4MappedShort,
    RangeForm,
    RangeFamilies,
    RangeOrder,
}

impl Kind {
    const fn code(self) -> &'static str {
        match self {
            Self::Empty
            | Self::NotAnAddress
            | Self::UnexpectedCharacter
            | Self::OctetEmpty
            | Self::OctetTooLarge
            | Self::OctetsTooFew
            | Self::OctetsTooMany
            | Self::GroupEmpty
            | Self::GroupTooLong
            | Self::GroupsTooFew
            | Self::GroupsTooMany
            | Self::TwoEllipses
            | Self::EllipsisOfNothing
            | Self::EmbeddedPlace => "bad_address",
            Self::OctetLeadingZero | Self::LengthLeadingZero => "leading_zero",
            Self::Zone => "zone",
            Self::LengthMissing
            | Self::LengthNotNumber
            | Self::LengthAbove32
            | Self::LengthAbove128 => "bad_prefix_length",
            Self::BareAddress => "bare_address",
            Self::HostBits => "host_bits",
            Self::Ipv4Mapped | Self::Ipv4MappedShort => "ipv4_mapped",
            Self::RangeForm | Self::RangeFamilies | Self::RangeOrder => "bad_range",
        }
    }

    const fn reason(self) -> &'static str {
        match self {
            Self::Empty => "the text is empty",
            Self::NotAnAddress => "not an IPv4 or IPv6 address",
            Self::UnexpectedCharacter => "a character that no address has",
            Self::OctetEmpty => "an IPv4 address has a digit before and after each dot",
            Self::OctetTooLarge => "a number of an IPv4 address is at most 255",
            Self::OctetLeadingZero => {
                "a number of an IPv4 address has no leading zero, which some programs read as octal"
            }
            Self::OctetsTooFew => "an IPv4 address has four numbers, here are fewer",
            Self::OctetsTooMany => "an IPv4 address has four numbers, here are more",
            Self::GroupEmpty => "a group of an IPv6 address is empty",
            Self::GroupTooLong => "a group of an IPv6 address has at most four digits",
            Self::GroupsTooFew => "an IPv6 address has eight groups or a `::`, here are fewer",
            Self::GroupsTooMany => "an IPv6 address has eight groups, here are more",
            Self::TwoEllipses => "an IPv6 address has at most one `::`",
            Self::EllipsisOfNothing => "the `::` stands for no group: all eight are written",
            Self::EmbeddedPlace => {
                "an embedded IPv4 address takes the place of the last two groups"
            }
            Self::Zone => "a zone (`%`) means something on one machine only",
            Self::LengthMissing => "no prefix length after the `/`",
            Self::LengthNotNumber => "the prefix length is not written in decimal digits alone",
            Self::LengthLeadingZero => "the prefix length has a leading zero",
            Self::LengthAbove32 => "the prefix length of IPv4 is at most 32",
            Self::LengthAbove128 => "the prefix length of IPv6 is at most 128",
            Self::BareAddress => "an address without a prefix length",
            Self::HostBits => "bits are set to the right of the prefix length",
            Self::Ipv4Mapped => "an IPv4 address written as IPv6, which matches no IPv4 traffic",
            Self::Ipv4MappedShort => {
                "an IPv4-mapped address with a length below 96 is no IPv4 prefix"
            }
            Self::RangeForm => "a range has the form `FIRST-LAST`",
            Self::RangeFamilies => "the ends of a range are both IPv4 or both IPv6",
            Self::RangeOrder => "the first address of a range is above its last",
        }
    }
}

impl Error {
    pub(super) fn new(kind: Kind, text: &str) -> Self {
        Self::suggesting(kind, text, None)
    }

    pub(super) fn suggesting(kind: Kind, text: &str, suggestion: Option<String>) -> Self {
        Self {
            kind,
            text: text.to_owned(),
            suggestion,
        }
    }

    /// The stable code: `bad_address`, `leading_zero`, `zone`, `bad_prefix_length`, `bare_address`,
    /// `host_bits`, `ipv4_mapped` or `bad_range`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.kind.code()
    }

    /// The rule that is broken, without the faulty text.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        self.kind.reason()
    }

    /// What to write instead, if only one correction is possible. It passes the same check.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`")?;
        Quoted(&self.text).fmt(f)?;
        f.write_str("`: ")?;
        f.write_str(self.reason())?;
        match &self.suggestion {
            Some(suggestion) => write!(f, "; write `{suggestion}`"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for Error {}

/// Longest part of a text that is repeated in a message, in characters.
const QUOTED: usize = 80;

/// The start of a text with its control characters made visible, so that a message is one short line.
pub(super) struct Quoted<'t>(pub(super) &'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nearly every text is short and plain.
        if self.0.len() <= QUOTED && self.0.bytes().all(|byte| (0x20..0x7F).contains(&byte)) {
            return f.write_str(self.0);
        }
        let end = self.0.char_indices().nth(QUOTED).map(|(at, _)| at);
        let shown = end.and_then(|end| self.0.get(..end)).unwrap_or(self.0);
        for part in shown.split_inclusive(char::is_control) {
            let mut characters = part.chars();
            match characters.next_back().filter(|last| last.is_control()) {
                Some(last) => write!(f, "{}{}", characters.as_str(), last.escape_default())?,
                None => f.write_str(part)?,
            }
        }
        f.write_str(if end.is_some() { "…" } else { "" })
    }
}
