//! Which rules nearly let a flow pass, what each of them misses, and which names leave rules undecided.
//! Must not live here: the verdict (`explain`), what is reached (`relation`).

use super::asking::Asking;
use super::explanation::{Explanation, NearMiss, Verdict};
use super::findings::words::{joined, quoted};
use super::language::port_set::PortSet;
use super::language::ports::PortRange;
use super::language::posture::Condition;
use super::language::rule::{Lines, Rule, RuleOpening};
use super::language::selector::{Autogroup, Kind, Selector};
use super::relation::classes::{Class, Classes};
use super::relation::pairs::{PairAnswers, Sides, end_of};
use super::relation::reading::Reading;
use super::tailnet::endpoint::Endpoint;
use super::tailnet::identity::{Answer, Identity};
use super::tailnet::next_hop::Given;
use super::tailnet::party::Side;
use super::tailnet::routes::Route;
use crate::cidr::AddressSet;
use crate::tables::sort;

/// How many near misses are shown.
const NEAREST: usize = 10;

/// Why a rule that only some of the routers to a destination receive is a miss.
const SOME_ROUTERS: &str = "way: only some of the devices that may forward the packets let them in";

/// One question, with its endpoints in classes.
pub(super) struct Misses<'a, 's, 'r, 'p> {
    asking: &'a Asking<'a, 'p>,
    sides: &'a Sides<'s, 'r>,
    reading: &'a Reading<'r>,
    /// Whether some source shares a user with some destination.
    shares_user: Answer,
}

impl<'a, 's, 'r, 'p> Misses<'a, 's, 'r, 'p> {
    pub fn new(
        asking: &'a Asking<'a, 'p>,
        sides: &'a Sides<'s, 'r>,
        reading: &'a Reading<'r>,
    ) -> Misses<'a, 's, 'r, 'p> {
        let mut shares_user = Answer::No;
        if reading.has_own() {
            for from in endpoints_of(sides.senders) {
                for to in endpoints_of(sides.receivers) {
                    shares_user = shares_user.max(from.identity.shares_user(to.identity));
                }
            }
        }
        Misses {
            asking,
            sides,
            reading,
            shares_user,
        }
    }

    /// Notes the rules that let the flow pass, those that nearly do, and the names that leave rules undecided.
    #[inline(never)]
    pub fn note(&self, answers: &PairAnswers, explanation: &mut Explanation) {
        let verdict = explanation.verdict;
        let rules = &self.asking.judge.about.rules;
        let mut lines = Lines::new(self.asking.judge.policy().document.text());
        let mut misses = Vec::new();
        for (rule, passes) in rules.iter().zip(&answers.by_rule) {
            match passes {
                Answer::Yes if verdict.is_open() => {
                    let line = lines.line_of(rule.span.start);
                    explanation.because.push(rule.reference(line));
                }
                Answer::Yes => misses.push((0, rule, SOME_ROUTERS.to_owned())),
                Answer::Unknown if verdict != Verdict::Allowed => {
                    self.note_open(rule, &mut explanation.unresolved);
                }
                Answer::No if verdict != Verdict::Allowed => misses.extend(self.miss(rule)),
                Answer::Unknown | Answer::No => {}
            }
        }
        sort::sort_by(&mut misses, |(a, _, _), (b, _, _)| a.cmp(b));
        misses.truncate(NEAREST);
        for (_, rule, why) in misses {
            let rule = rule.reference(lines.line_of(rule.span.start));
            explanation.near_misses.push(NearMiss { rule, why });
        }
    }

    /// Notes the selectors of a rule that text and context leave undecided.
    fn note_open(&self, rule: &Rule<'_>, unresolved: &mut Vec<String>) {
        for source in rule.sources {
            if self.source(source) == Answer::Unknown {
                note_name(self.unknown(source, self.sides.senders), unresolved);
            }
        }
        for to in rule.destinations() {
            if self.target(to) == Answer::Unknown {
                note_name(self.unknown(to, self.sides.receivers), unresolved);
            }
        }
        if self.posture(rule) == Answer::Unknown {
            for posture in rule.postures {
                note_name(posture.name(), unresolved);
            }
        }
    }

    /// Which name nobody knows enough of where a selector may take in an endpoint: whoever is asked about, where the selector says all of itself.
    fn unknown<'q>(&self, selector: &'q Selector<'_>, asked: &'q Classes<'r>) -> &'q str {
        let says_all = match selector.kind {
            Kind::User => true,
            Kind::Group => self.asking.judge.policy().groups.contains(selector.name()),
            _ => false,
        };
        let mut names = endpoints_of(asked).filter_map(|end| match end.identity {
            Identity::Some(_, name) => Some(name),
            _ => None,
        });
        let name = names.next().filter(|_| says_all);
        name.unwrap_or(selector.name())
    }

    fn given(&self, end: &Endpoint<'_>) -> Given<'a> {
        Given {
            device: end.device,
            ..self.asking.given
        }
    }

    /// Whether one of our sources has the posture that a rule needs.
    fn posture(&self, rule: &Rule<'_>) -> Answer {
        let network = &self.asking.judge.network;
        let endpoints = endpoints_of(self.sides.senders);
        let answers = endpoints.map(|end| self.given(end).fits(network, rule));
        answers.max().unwrap_or_default()
    }

    /// Whether a source of a rule includes one of ours.
    fn source(&self, selector: &Selector<'_>) -> Answer {
        self.best(Side::Source, self.sides.senders, selector)
    }

    /// Whether a destination of a rule includes one of ours.
    fn target(&self, selector: &Selector<'_>) -> Answer {
        let best = self.best(Side::Destination, self.sides.receivers, selector);
        match selector.kind == Kind::Autogroup(Autogroup::Own) {
            true => best.min(self.shares_user),
            false => best,
        }
    }

    /// The best answer of a selector of the document for some endpoints.
    fn best(&self, side: Side, classes: &Classes<'_>, selector: &Selector<'_>) -> Answer {
        let Some(place) = self.reading.named(side).place(selector.name()) else {
            return Answer::No;
        };
        let of = |class: &Class<'_>| {
            let [takers, _] = &class.takers;
            let mut own = takers.iter().filter(|(at, _)| *at == place);
            own.next().map_or(Answer::No, |(_, answer)| *answer)
        };
        let answers = classes.list.iter().map(|(_, class)| of(class));
        answers.max().unwrap_or_default()
    }

    /// What a rule misses, if it is a single thing; and how nearly.
    fn miss<'q, 't>(&self, rule: &'q Rule<'t>) -> Option<(u8, &'q Rule<'t>, String)> {
        let mut open = Vec::new();
        for opening in rule.openings() {
            if self.target(opening.to) != Answer::No {
                open.push(opening);
            }
        }
        if open.is_empty() {
            return None;
        }
        let wanted = self.asking.wanted();
        let passes =
            |opening: &RuleOpening<'_>| PortSet::of(opening.protocol, opening.ports).meets(&wanted);
        let mut sources = rule.sources.iter();
        let source = sources.any(|source| self.source(source) != Answer::No);
        let posture = self.posture(rule) != Answer::No;
        match (source, open.iter().any(passes), posture) {
            (true, true, false) => Some((0, rule, self.posture_missing(rule))),
            (true, true, true) if !rule.via.is_empty() => {
                Some((1, rule, self.via_missing(rule, &open)))
            }
            (true, false, true) => {
                let (distance, why) = self.traffic_missing(&open);
                Some((distance, rule, why))
            }
            // What opens everything to others is not about this destination.
            (false, true, true) => open
                .iter()
                .any(|opening| passes(opening) && !self.is_everything(opening.to))
                .then(|| (3, rule, self.source_missing(rule))),
            _ => None,
        }
    }

    fn is_everything(&self, to: &Selector<'_>) -> bool {
        let set = || self.reading.network.set_of(to);
        let holds_a_family = |set: AddressSet| {
            let mut all = AddressSet::everything().ranges().collect::<Vec<_>>();
            all.retain(|range| set.covers_range(*range));
            !all.is_empty()
        };
        to.kind == Kind::Any || set().is_some_and(holds_a_family)
    }

    /// What a rule with `via` misses that is about both endpoints.
    fn via_missing(&self, rule: &Rule<'_>, open: &[RuleOpening<'_>]) -> String {
        let network = &self.asking.judge.network;
        let tagged = network.all_devices_of(rule.via);
        let is_tagged = |route: &&Route| route.routers.iter().any(|at| tagged.contains(at));
        let leads = |end: &Endpoint<'_>| {
            let to = end.address();
            to.is_none_or(|to| network.routes.leading_to(to).iter().any(is_tagged))
        };
        let has_via = |opening: &RuleOpening<'_>| !network.via(rule.via, opening.to).is_empty();
        let tags = listed(rule.via.iter().map(Selector::name), " or ");
        match open.iter().any(has_via) && endpoints_of(self.sides.receivers).any(leads) {
            true => joined(&["way: the packets go through no device with ", &tags]),
            false => {
                let end = " has an approved route to the destination";
                joined(&["way: no device with ", &tags, end])
            }
        }
    }

    fn traffic_missing(&self, open: &[RuleOpening<'_>]) -> (u8, String) {
        let flow = self.asking.flow;
        if let Some(opening) = open
            .iter()
            .find(|opening| opening.ports.contains(flow.port))
        {
            let own = match opening.protocol {
                Some(own) => own.to_string(),
                // `Protocol::DEFAULT` in short.
                None => "tcp, udp and icmp".to_owned(),
            };
            let asked = flow.protocol.to_string();
            let why = joined(&["wrong protocol: the rule is for ", &own, ", not ", &asked]);
            return (2, why);
        }
        let mut ranges: Vec<PortRange> = Vec::new();
        for opening in open {
            ranges.extend_from_slice(opening.ports.ranges());
        }
        sort::sort_by(&mut ranges, |a, b| {
            (a.first, a.last).cmp(&(b.first, b.last))
        });
        ranges.dedup();
        let (ports, port) = (ports_in_words(&ranges), flow.port.to_string());
        let why = joined(&["wrong port: the rule opens ", &ports, ", not ", &port]);
        (1, why)
    }

    fn source_missing(&self, rule: &Rule<'_>) -> String {
        let name = self.asking.flow.from.name();
        let sources = listed(rule.sources.iter().map(Selector::name), ", ");
        let verb = match rule.sources {
            [only] if only.kind == Kind::Group => " is not in ",
            _ => " is none of ",
        };
        joined(&["source ", &quoted(&name), verb, &sources])
    }

    /// The postures of which the source needs one, and the conditions that fail, where its attributes are known.
    fn posture_missing(&self, rule: &Rule<'_>) -> String {
        let names = listed(rule.postures.iter().map(|word| word.name()), " or ");
        let mut failing: Vec<String> = Vec::new();
        for posture in rule.postures {
            for text in self.failing(posture.name()) {
                let text = joined(&["`", text, "`"]);
                if !failing.contains(&text) {
                    failing.push(text);
                }
            }
        }
        let why = joined(&["posture: the source must have ", &names]);
        match &failing[..] {
            [] => why,
            [only] => joined(&[&why, "; ", only, " does not hold"]),
            _ => joined(&[&why, "; ", &failing.join(", "), " do not hold"]),
        }
    }

    /// The conditions of a posture that certainly fail for some source.
    fn failing(&self, posture: &str) -> Vec<&str> {
        let network = self.reading.network;
        let mut failing = Vec::new();
        for word in network.policy.postures.get(posture).into_iter().flatten() {
            let Some(condition) = Condition::parse(word.name()) else {
                continue;
            };
            let fails = |end: &Endpoint<'_>| match (self.asking.given.attributes, end.device) {
                (Some(attributes), _) => !condition.holds(attributes),
                (None, Some(device)) => {
                    network.attributes.condition_of(device, &condition) == Answer::No
                }
                (None, None) => false,
            };
            if endpoints_of(self.sides.senders).any(fails) {
                failing.push(word.name());
            }
        }
        failing
    }
}

/// Ports as a part of a sentence.
fn ports_in_words(ranges: &[PortRange]) -> String {
    let texts: Vec<String> = ranges.iter().map(PortRange::to_string).collect();
    let Some((last, others)) = texts.split_last() else {
        return String::new();
    };
    match others {
        [] if ranges.iter().all(|range| range.first == range.last) => joined(&["port ", last]),
        [] => joined(&["ports ", last]),
        _ => joined(&["ports ", &others.join(", "), " and ", last]),
    }
}

fn endpoints_of<'c, 'r>(classes: &'c Classes<'r>) -> impl Iterator<Item = &'c Endpoint<'r>> {
    let classes = classes.list.iter();
    classes.filter_map(|(_, class)| end_of(class))
}

/// Items one after the other.
pub(super) fn listed<'i>(items: impl Iterator<Item = &'i str>, between: &str) -> String {
    let mut list = String::new();
    for item in items {
        append(&mut list, between, item);
    }
    list
}

/// One more item of a list in words.
fn append(list: &mut String, between: &str, item: &str) {
    if !list.is_empty() {
        list.push_str(between);
    }
    list.push_str(item);
}

pub(super) fn note_name(name: &str, unresolved: &mut Vec<String>) {
    if !unresolved.iter().any(|known| known == name) {
        unresolved.push(name.to_owned());
    }
}
