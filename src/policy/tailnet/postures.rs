//! Whether devices have postures: by the attributes that a context lists for them, else by what is known of the device
//! (docs/policy-language.md#postures). Must not live here: conditions (language/posture.rs), which rules need a posture.

use std::cell::OnceCell;

use super::context::{Device, DeviceIndex, PolicyContext};
use super::identity::Answer;
use crate::policy::language::document::{Policy, Word};
use crate::policy::language::posture::{Attribute, Condition};
use crate::tables::index::Index;

/// The attributes of devices, and what follows from them.
pub(crate) struct Attributes<'p> {
    /// The indices of the lists of the context, by `id` or `nodeId`.
    listed: Index<'p>,
    policy: &'p Policy<'p>,
    context: &'p PolicyContext,
    devices: &'p [Device],
    /// For each posture of the policy the answer of each device, once it is asked for.
    answers: Vec<OnceCell<Vec<Answer>>>,
    /// Whether nothing is known of any device.
    are_unknown: bool,
}

impl<'p> Attributes<'p> {
    /// Those of a context.
    pub fn new(policy: &'p Policy<'p>, context: &'p PolicyContext) -> Attributes<'p> {
        let mut listed = Index::default();
        for (at, (device, _)) in context.attributes.iter().flatten().enumerate() {
            listed.set(device.as_str().into(), at);
        }
        let mut answers = Vec::new();
        answers.resize_with(policy.postures.iter().count(), OnceCell::new);
        Attributes {
            listed,
            policy,
            context,
            devices: context.devices.as_deref().unwrap_or_default(),
            answers,
            are_unknown: false,
        }
    }

    /// Supposes that nothing is known of any device.
    pub fn forget(&mut self) {
        self.are_unknown = true;
    }

    /// Whether a device has a posture of the policy. A device that the context lists lacks what is not listed for it; of
    /// others only `node:os` and `node:tsVersion` may be known.
    #[inline(never)]
    pub fn posture_of(&self, device: DeviceIndex, posture: &str) -> Answer {
        let place = self.policy.postures.place(posture);
        let Some(answers) = place.and_then(|place| self.answers.get(place)) else {
            return Answer::No;
        };
        let all = || {
            let words = self.policy.postures.get(posture).into_iter().flatten();
            let conditions: Option<Vec<Condition<'_>>> =
                words.map(|word| Condition::parse(word.name())).collect();
            let mut answers = Vec::with_capacity(self.devices.len());
            for (device, _) in DeviceIndex::each(self.devices) {
                answers.push(self.meets(device, conditions.as_deref()));
            }
            answers
        };
        let answer = device.of(answers.get_or_init(all));
        answer.copied().unwrap_or_default()
    }

    /// Whether a device has one of the postures that a rule needs, if it needs any.
    pub fn has_posture(&self, device: DeviceIndex, wanted: &[Word<'_>]) -> Answer {
        let answers = wanted
            .iter()
            .map(|word| self.posture_of(device, word.name()));
        answers.max().unwrap_or(Answer::Yes)
    }

    /// Whether a device meets all conditions of a posture; `None` means one that nobody has.
    pub fn meets(&self, device: DeviceIndex, conditions: Option<&[Condition<'_>]>) -> Answer {
        let (Some(device), Some(conditions)) = (device.of(self.devices), conditions) else {
            return Answer::No;
        };
        if self.are_unknown && !conditions.is_empty() {
            return Answer::Unknown;
        }
        let listed = self.listed(device);
        let answers = conditions.iter().map(|it| meets(device, listed, it));
        answers.min().unwrap_or(Answer::Yes)
    }

    /// Whether a device meets one condition.
    pub fn condition_of(&self, device: DeviceIndex, condition: &Condition<'_>) -> Answer {
        let device = device.of(self.devices);
        device.map_or(Answer::Unknown, |device| {
            meets(device, self.listed(device), condition)
        })
    }

    /// All that is known of the attributes of a device: those that the context lists for it, its system and its client.
    pub fn of<'d>(&'d self, device: &'d Device) -> (Option<&'d [Attribute]>, [Option<&'d str>; 2]) {
        let fields = [&device.os, &device.client_version].map(|field| field.as_deref());
        (self.listed(device), fields)
    }

    /// The attributes that the context lists for a device.
    fn listed(&self, device: &Device) -> Option<&[Attribute]> {
        let lists = self.context.attributes.as_deref()?;
        let by_node = || self.listed.find(device.node_id.as_deref()?);
        let at = self.listed.find(&device.id).or_else(by_node)?;
        lists.get(at).map(|(_, own)| own.as_slice())
    }
}

fn meets(device: &Device, listed: Option<&[Attribute]>, condition: &Condition<'_>) -> Answer {
    if let Some(listed) = listed {
        let mut own = listed.iter().filter(|own| own.name == condition.attribute);
        let value = own.next().map(|own| (own.value.as_str(), own.is_number));
        return condition.holds_for(value).into();
    }
    let known = match condition.attribute {
        // Attributes spell it in lower case, devices as people do: `macOS`.
        "node:os" => device.os.as_ref().map(|os| os.to_ascii_lowercase()),
        "node:tsVersion" => device.client_version.as_deref().map(release),
        _ => None,
    };
    known.map_or(Answer::Unknown, |value| {
        condition.holds_for(Some((&value, false))).into()
    })
}

/// The release in the version of a client: `1.80.2` of `1.80.2-t1234-g5678`.
fn release(version: &str) -> String {
    let version = version.strip_prefix('v').unwrap_or(version);
    let end = version.find('-').unwrap_or(version.len());
    version.get(..end).unwrap_or(version).to_owned()
}
