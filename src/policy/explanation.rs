//! The answer about a flow or a login: what the rules say, which of them, where the packets end and whether they arrive.
//! Must not live here: how any of it is found.

use serde::Serialize;

use super::access_change::Part;
use super::asking::Asking;
use super::delivery::{Deliveries, Delivery};
use super::language::login::SshAction;
use super::language::rule::RuleRef;
use super::relation::pairs::{PairAnswers, Quantity, Sides};
use super::relation::reading::Reading;

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Explanation {
    /// What the rules say.
    pub verdict: Verdict,
    /// Which part of the source reaches which part of the destination: the largest, where only some do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// What a login by ssh is: allowed, or allowed after a check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<SshAction>,
    /// The rules that let it pass.
    pub because: Vec<RuleRef>,
    /// Rules that miss in one respect, the nearest first. Only for a flow that is not allowed.
    pub near_misses: Vec<NearMiss>,
    /// Names that neither text nor context define.
    pub unresolved: Vec<String>,
    /// Postures, one of which is all that the source lacks: with it the flow would pass.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub postures: Vec<String>,
    /// One for each device that may receive; never empty.
    pub delivered: Vec<Delivery>,
    /// Whether devices are known but none of them is the source's.
    pub source_has_no_device: bool,
    /// Whether what is allowed would get there now, as far as devices, keys and routes are known.
    #[serde(flatten)]
    pub arrival: Arrival,
    /// Which name may be meant in place of an unknown one, or of a login that neither text nor context names, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Whether a flow passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every device and address of the source reaches every one of the destination, over a family that both have.
    Allowed,
    /// Some of the source reaches some of the destination.
    Partly,
    /// None does.
    Denied,
    /// Text and context do not tell.
    Unknown,
}

impl Verdict {
    /// Whether some of the source reaches some of the destination.
    pub fn is_open(self) -> bool {
        matches!(self, Verdict::Allowed | Verdict::Partly)
    }
}

impl From<Quantity> for Verdict {
    fn from(quantity: Quantity) -> Verdict {
        match quantity {
            Quantity::All => Verdict::Allowed,
            Quantity::Some => Verdict::Partly,
            Quantity::Undecided => Verdict::Unknown,
            Quantity::None => Verdict::Denied,
        }
    }
}

/// A rule that misses in one respect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct NearMiss {
    /// The rule.
    pub rule: RuleRef,
    /// What it misses.
    pub why: String,
}

/// Whether what is allowed would get there now.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Arrival {
    /// Whether it would; `None` where devices, or the time of the question, are not known. What is denied does not.
    pub arrives: Option<bool>,
    /// What is in the way, beside the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hindrance: Option<String>,
}

impl Explanation {
    /// The verdict, with the part that it is about; then only what is reached is delivered.
    pub(super) fn tell<'r>(
        &mut self,
        asking: &Asking<'_, '_>,
        sides: &Sides<'_, 'r>,
        reading: &Reading<'r>,
        answers: &PairAnswers,
    ) {
        self.verdict = answers.quantity(sides).into();
        if self.verdict == Verdict::Partly {
            let (part, all) = answers.part(sides);
            let from = sides.from.part(reading, &all.from, &part.from);
            self.part = Part::of(from, sides.to.part(reading, &all.to, &part.to));
            let (from, to) = answers.reached(sides);
            let deliveries = Deliveries::new(asking.judge, reading.names, asking.given);
            self.delivered = deliveries.of(&from, &to);
        }
    }
}
