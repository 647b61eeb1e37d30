//! Why one flow is allowed or denied: the rules that let it pass, those that nearly do, and where the packet ends.
//! Must not live here: the judgement of a rule (`tailnet/flow`), what the names of a question mean (`question`), ssh.

use super::asking::Asking;
use super::delivery::Deliveries;
use super::explanation::{Arrival, Explanation, Verdict};
use super::findings::words::joined;
use super::language::document::Policy;
use super::language::selector::{Autogroup, Kind};
use super::misses::Misses;
use super::question::Flow;
use super::relation::pairs::{PairQuestion, Quantity};
use super::relation::reach::Shared;
use super::relation::reading::Reading;
use super::resolve::{Names, Resolved};
use super::tailnet::context::PolicyContext;
use super::tailnet::endpoint::Endpoint;
use super::tailnet::flow::Judge;
use super::tailnet::identity::Identity;
use super::tailnet::next_hop::Given;
use super::tailnet::party::Side;
use super::verdict::Error;
use crate::hujson;
use crate::tables::index::Index;

impl<'p> Policy<'p> {
    /// Explains a flow rule by rule: which rules let every address of the source reach the destination, or which nearly do.
    ///
    /// # Errors
    /// [`Error::Argument`] for a malformed name: an address that is not valid, a device that does not exist or whose name
    /// is not unique.
    #[inline(never)]
    pub fn explain(
        &'p self,
        flow: &Flow,
        context: &'p PolicyContext,
    ) -> Result<Explanation, Error> {
        let judge = Judge::new(self, context);
        judge.explain(flow)
    }
}

impl<'p> Judge<'p> {
    /// Like [`Policy::explain`], for many flows.
    ///
    /// # Errors
    /// The same.
    pub fn explain(&self, flow: &Flow) -> Result<Explanation, Error> {
        let names = Names::of(self.policy(), self.network.context);
        let (from, to) = (flow.from.resolve(&names)?, flow.to.resolve(&names)?);
        let attributes = flow.posture_attributes().map(hujson::parse).transpose()?;
        let given = Given {
            attributes: attributes.as_ref().map(hujson::Document::root),
            postures: &[],
            device: None,
        };
        let mut unresolved = Vec::new();
        let sources = self.asked_endpoints(Side::Source, &from, &mut unresolved);
        let targets = match is_own(&to) {
            true => self.own_targets(&sources),
            false => self.asked_endpoints(Side::Destination, &to, &mut unresolved),
        };
        let reading = Reading::of_network(self);
        let deliveries = Deliveries::new(self, reading.names, given);
        let mut explanation = Explanation {
            verdict: Verdict::Unknown,
            part: None,
            action: None,
            because: Vec::new(),
            near_misses: Vec::new(),
            unresolved,
            postures: Vec::new(),
            delivered: deliveries.of(&sources, &targets),
            source_has_no_device: self.network.context.devices.is_some()
                && sources.iter().all(|end| end.device.is_none()),
            arrival: Arrival::default(),
            hint: hint_of(
                (&flow.from.name(), from.hint()),
                (&flow.to.name(), to.hint()),
            ),
        };
        if explanation.unresolved.is_empty() {
            let asking = Asking {
                judge: self,
                flow,
                given,
                endpoints: (&sources, &targets),
                is_own: is_own(&to),
            };
            match &flow.user {
                Some(user) => asking.explain_login(user, &mut explanation),
                None => asking.explain_flow(&reading, &mut explanation),
            }
        }
        Ok(explanation)
    }

    /// The endpoints behind a name of a question; if there are none, the name is added to the unresolved ones.
    fn asked_endpoints<'a>(
        &self,
        side: Side,
        asked: &'a Resolved,
        unresolved: &mut Vec<String>,
    ) -> Vec<Endpoint<'a>>
    where
        'p: 'a,
    {
        let name = match asked {
            Resolved::Device(device) => return self.network.endpoints_of_device(*device),
            Resolved::Selector { name, .. } => {
                let selector = name.selector();
                if (selector.kind, side) == (Kind::Any, Side::Source) {
                    return vec![self.network.anyone_at_all()];
                }
                if let Some(endpoints) = self.network.endpoints(&selector) {
                    return endpoints;
                }
                name
            }
            Resolved::Unresolved { name, .. } => name,
        };
        unresolved.push(name.text.clone());
        Vec::new()
    }

    /// For `autogroup:self`: the devices of each user among the sources.
    fn own_targets<'a>(&self, sources: &[Endpoint<'a>]) -> Vec<Endpoint<'a>>
    where
        'p: 'a,
    {
        let (mut targets, mut known) = (Vec::new(), Index::default());
        for end in sources {
            let user = end.identity.user().unwrap_or("autogroup:self");
            if known.set(user.into(), 0) {
                targets.append(&mut self.own_endpoints(end));
            }
        }
        targets
    }

    /// The devices that share a user with an endpoint.
    pub(super) fn own_endpoints<'a>(&self, end: &Endpoint<'a>) -> Vec<Endpoint<'a>>
    where
        'p: 'a,
    {
        match end.identity {
            Identity::User(login) => {
                let devices = self.network.of_user(login);
                match devices.is_empty() {
                    true => vec![Endpoint::supposed(end.identity)],
                    false => self.network.endpoints_of_devices(devices),
                }
            }
            Identity::Some(..) => vec![Endpoint::supposed(Identity::OWN)],
            _ => Vec::new(),
        }
    }
}

fn is_own(asked: &Resolved) -> bool {
    let own = Kind::Autogroup(Autogroup::Own);
    matches!(asked, Resolved::Selector { name, .. } if name.selector().kind == own)
}

/// What may be meant by the names of a question: by both, each with its name.
fn hint_of(from: (&str, Option<&str>), to: (&str, Option<&str>)) -> Option<String> {
    match (from, to) {
        ((from, Some(own)), (to, Some(other))) => {
            Some(joined(&["`", from, "`: ", own, "; `", to, "`: ", other]))
        }
        ((_, own), (_, other)) => own.or(other).map(str::to_owned),
    }
}

impl Asking<'_, '_> {
    /// Answers it by the network rules.
    #[inline(never)]
    fn explain_flow(&self, reading: &Reading<'_>, explanation: &mut Explanation) {
        let [from, to] = self.endpoints(reading);
        let question = PairQuestion::new(reading, [&from, &to]);
        let sides = question.sides(self.is_own);
        let postures = self.judge.needed_postures();
        let mut shared = Shared::default();
        let mut reach = question.reach(self.given, &mut shared);
        let wanted = self.wanted();
        let answers = sides.ask(&reach, &wanted, &mut shared);
        explanation.tell(self, &sides, reading, &answers);
        explanation.arrival = Arrival::of(self, &sides, &reach, &answers, explanation.verdict);
        let misses = Misses::new(self, &sides, reading);
        misses.note(&answers, explanation);
        if matches!(explanation.verdict, Verdict::Denied | Verdict::Partly) {
            for posture in &postures {
                reach.given = Some(Given {
                    postures: std::slice::from_ref(posture),
                    ..self.given
                });
                let answers = sides.ask(&reach, &wanted, &mut shared);
                if answers.quantity(&sides) == Quantity::All {
                    explanation.postures.push((*posture).to_owned());
                }
            }
        }
    }
}

impl<'p> Judge<'p> {
    /// The postures that some rule needs, each once.
    pub(super) fn needed_postures(&self) -> Vec<&'p str> {
        let mut names: Vec<&'p str> = Vec::new();
        for posture in self.about.rules.iter().flat_map(|rule| rule.postures) {
            if !names.contains(&posture.name()) {
                names.push(posture.name());
            }
        }
        names
    }
}
