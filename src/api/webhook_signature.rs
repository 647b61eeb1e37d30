//! The header that signs a delivery of a webhook: `t=<unix seconds>,v1=<hex>`, with one or more `v1`.
//! Must not live here: the comparison of signatures, which the platform does in constant time; events.
use std::fmt;

use super::headers::WEBHOOK_SIGNATURE;
use super::uri;
use crate::Code;
use crate::tables::find;

/// How many seconds the time of a delivery may differ from now by default, either way.
pub const TOLERANCE: f64 = 300.0;

/// The most signatures that are accepted: more than any sender has secrets. Each costs a pass over the body.
const MOST: usize = 8;

/// What a delivery claims: one of these is the HMAC-SHA-256 of `<time>.<body>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signatures {
    /// The time as it was signed.
    pub time: String,
    /// The signatures of the right form.
    pub values: Vec<[u8; 32]>,
}

/// Why a delivery is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DeliveryFault {
    /// There is no header with a signature.
    Missing,
    /// A header or a body that cannot be read.
    Malformed,
    /// Older or newer than the tolerance allows.
    Expired,
    /// No signature fits a secret.
    Mismatch,
}

impl DeliveryFault {
    /// The fault with this word; any other word gives the fault for a header that cannot be read.
    pub fn by_reason(reason: &str) -> DeliveryFault {
        match reason {
            "missing" => DeliveryFault::Missing,
            "expired" => DeliveryFault::Expired,
            "mismatch" => DeliveryFault::Mismatch,
            _ => DeliveryFault::Malformed,
        }
    }

    /// The stable word, beside the code.
    pub fn reason(self) -> &'static str {
        match self {
            DeliveryFault::Missing => "missing",
            DeliveryFault::Malformed => "malformed",
            DeliveryFault::Expired => "expired",
            DeliveryFault::Mismatch => "mismatch",
        }
    }

    /// The stable code.
    pub fn code(self) -> Code {
        Code::WebhookSignature
    }
}

impl fmt::Display for DeliveryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeliveryFault::Missing => write!(f, "the delivery has no header `{WEBHOOK_SIGNATURE}`"),
            DeliveryFault::Malformed => f.write_str(
                "the delivery cannot be read: the header is `t=<seconds>,v1=<hex>`, the body the raw bytes of a JSON list of events",
            ),
            DeliveryFault::Expired => f.write_str("the delivery was not signed just now"),
            DeliveryFault::Mismatch => f.write_str("the delivery was signed with another secret, or changed on its way"),
        }
    }
}

impl std::error::Error for DeliveryFault {}

impl Signatures {
    /// Reads the header at the time `now`, in milliseconds since 1970. Parts other than `t` and `v1` are ignored.
    ///
    /// # Errors
    /// [`DeliveryFault`] says why the delivery must be refused, whatever its signature.
    pub fn read(header: Option<&str>, now: f64, tolerance: f64) -> Result<Self, DeliveryFault> {
        let header = header.ok_or(DeliveryFault::Missing)?;
        let (mut times, mut values) = (0, Vec::new());
        let mut time = "";
        for part in find::split(header, b',') {
            match find::split_once(part.trim(), "=") {
                Some(("t", value)) => (time, times) = (value, times + 1),
                Some(("v1", value)) => values.extend(digest(value)),
                _ => {}
            }
        }
        let seconds: Option<u64> = time.parse().ok();
        let readable = times == 1 && !time.starts_with('+') && (1..=MOST).contains(&values.len());
        let seconds = seconds.filter(|_| readable);
        let seconds = seconds.ok_or(DeliveryFault::Malformed)? as f64;
        if (now / 1000.0 - seconds).abs() > tolerance {
            return Err(DeliveryFault::Expired);
        }
        Ok(Signatures {
            time: time.to_owned(),
            values,
        })
    }
}

/// The 32 bytes of a digest in hexadecimal digits.
fn digest(text: &str) -> Option<[u8; 32]> {
    let mut digest = [0; 32];
    for (at, digit) in text.bytes().enumerate() {
        let byte = digest.get_mut(at / 2)?;
        *byte = *byte << 4 | uri::hex(digit)?;
    }
    (text.len() == 64).then_some(digest)
}
