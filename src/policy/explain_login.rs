//! Whether somebody may log in by ssh as an account: by the ssh rules, and by the network rules for port 22.
//! Must not live here: what ssh rules are as rows (`relation`), the packets of each device (`ssh`), flows (`explain`).

use super::asking::Asking;
use super::explanation::{Arrival, Explanation, NearMiss, Verdict};
use super::findings::words::{joined, quoted};
use super::language::document::SshRule;
use super::language::login::{Account, SshAction};
use super::language::port_set::PortSet;
use super::language::rule::RuleRef;
use super::language::selector::{Kind, Selector};
use super::misses::{Misses, listed, note_name};
use super::relation::classes::{Class, Classes};
use super::relation::endpoints::Endpoints;
use super::relation::machines::{Joined, OfMachine, best, both_of};
use super::relation::pairs::{PairAnswers, PairQuestion, Quantity, Sides, end_of};
use super::relation::reach::{Reach, Shared};
use super::relation::reading::Reading;
use super::relation::rows::{SshRules, protocol_of};
use super::tailnet::endpoint::{Endpoint, Place};
use super::tailnet::identity::Answer;
use super::tailnet::net::Net;
use super::tailnet::network::Network;
use super::tailnet::next_hop::Given;
use super::tailnet::party::Side;
use crate::tables::sort;

/// Said of a login that only the network keeps out.
const NO_NETWORK: &str = "the ssh rules allow the login, but no network rule opens port 22 for it";

/// The same of one that the network lets in with a posture, which follows.
const ONLY_WITH: &str =
    "the ssh rules allow the login, but the network rules open port 22 for it only with ";

impl Asking<'_, '_> {
    /// Answers a question about a login.
    #[inline(never)]
    pub fn explain_login(&self, user: &str, explanation: &mut Explanation) {
        let network = &self.judge.network;
        let (from, to) = self.endpoints;
        let (from, to) = (machines(network, from), machines(network, to));
        let rules = SshRules::new(network);
        let asking = Asking {
            endpoints: (&from, &to),
            ..*self
        };
        let login = LoginQuestion {
            asking: &asking,
            rules: &rules,
            user,
        };
        login.explain(explanation);
    }
}

/// The endpoints at machines: of a set of addresses the devices in it.
fn machines<'e>(network: &Network<'e>, endpoints: &[Endpoint<'e>]) -> Vec<Endpoint<'e>> {
    let mut found = Vec::with_capacity(endpoints.len());
    for end in endpoints {
        match &end.place {
            Place::All(set) => {
                let mut devices = Vec::new();
                for range in set.ranges() {
                    network.add_holders(Net::Range(range), &mut devices);
                }
                sort::sort(&mut devices);
                devices.dedup();
                found.extend(network.endpoints_of_devices(&devices));
            }
            _ => found.push(end.clone()),
        }
    }
    found
}

/// A question about a login.
struct LoginQuestion<'q, 'a, 'p> {
    asking: &'q Asking<'a, 'p>,
    rules: &'q SshRules<'q>,
    user: &'q str,
}

impl<'q> LoginQuestion<'q, '_, '_> {
    fn explain(&self, explanation: &mut Explanation) {
        let asking = self.asking;
        let reading = Reading::of_network(asking.judge);
        let [from, to] = asking.endpoints(&reading);
        let question = PairQuestion::new(&reading, [&from, &to]);
        let addresses = question.sides(asking.is_own);
        let postures = self.needed_postures();
        let mut shared = Shared::default();
        let mut reach = question.reach(asking.given, &mut shared);
        let wanted = asking.wanted();
        let mut by_posture = Vec::with_capacity(postures.len());
        for posture in &postures {
            let given = Given {
                postures: std::slice::from_ref(posture),
                ..asking.given
            };
            reach.given = Some(given);
            by_posture.push((given, addresses.ask(&reach, &wanted, &mut shared)));
        }
        reach.given = Some(asking.given);
        let opened = addresses.ask(&reach, &wanted, &mut shared);
        self.explain_by_ssh(explanation, &addresses, (&opened, &by_posture));
        let hindrance = explanation.arrival.hindrance.take();
        explanation.arrival = Arrival::of(asking, &addresses, &reach, &opened, explanation.verdict);
        if hindrance.is_some() {
            explanation.arrival.hindrance = hindrance;
        }
        let mut by_network = explanation.clone();
        by_network.verdict = opened.quantity(&addresses).into();
        by_network.because = Vec::new();
        Misses::new(asking, &addresses, &reading).note(&opened, &mut by_network);
        if explanation.verdict.is_open() {
            explanation.because.extend(by_network.because);
        }
        if explanation.near_misses.is_empty() && explanation.verdict != Verdict::Allowed {
            explanation.near_misses = by_network.near_misses;
        }
        if explanation.verdict == Verdict::Unknown {
            explanation.unresolved = by_network.unresolved;
        }
    }

    /// The verdict of the ssh rules where the network is open.
    fn explain_by_ssh(
        &self,
        explanation: &mut Explanation,
        addresses: &Sides<'_, '_>,
        (opened, by_posture): (&PairAnswers, &[(Given<'_>, PairAnswers)]),
    ) {
        let asking = self.asking;
        let reading = &Reading::of_ssh(asking.judge, self.rules);
        let [from, to] = &self.machines();
        let question = PairQuestion::new(reading, [from, to]);
        let sides = question.sides(asking.is_own);
        let mut shared = Shared::default();
        let mut reach = question.reach(asking.given, &mut shared);
        let by_action = self.by_action(&sides, &reach, &mut shared);
        let [checked, accepted] = &by_action;
        let of_machines = sides;

        let machines = [
            Joined::new((from, sides.senders), (addresses.from, addresses.senders)),
            Joined::new((to, sides.receivers), (addresses.to, addresses.receivers)),
        ];
        let [own, other] = &machines;
        let sides = Sides {
            senders: &own.classes,
            receivers: &other.classes,
            ..sides
        };
        let by_ssh = both_of(&sides, &machines, &|a, b| admits(&by_action, a, b));
        let passing = |by_action: &[PairAnswers; 2], opened: &PairAnswers| {
            both_of(&sides, &machines, &|a, b| {
                admits(by_action, a, b).min(best(opened, a, b))
            })
        };
        let logins = passing(&by_action, opened);
        explanation.tell(asking, &sides, reading, &logins);
        if explanation.verdict.is_open() {
            explanation.action = action_of(&logins, &machines, checked);
        }
        let is_network = by_ssh.quantity(&sides) != Quantity::None;
        let mut lacking = by_posture.to_vec();
        let is_lacking = matches!(explanation.verdict, Verdict::Denied | Verdict::Partly);
        lacking.retain(|(given, opened)| {
            reach.given = Some(*given);
            let by_action = self.by_action(&of_machines, &reach, &mut shared);
            is_lacking && passing(&by_action, opened).quantity(&sides) == Quantity::All
        });
        explanation.note_postures(&lacking, is_network);
        self.note_rules(
            reading,
            &sides,
            [checked, accepted],
            is_network,
            explanation,
        );
    }

    /// The endpoints of both sides as machines.
    fn machines(&self) -> [Endpoints<'q>; 2] {
        let (from, to) = self.asking.endpoints;
        let mut both = [Endpoints::machines(from), Endpoints::machines(to)];
        for side in &mut both {
            side.atoms.by_owner = self.asking.is_own || self.rules.has_own_names();
        }
        both
    }

    /// The postures that some network or ssh rule needs, each once.
    fn needed_postures(&self) -> Vec<&'q str> {
        let mut names = self.asking.judge.needed_postures();
        for (.., rule) in &self.rules.rules {
            let policy = self.asking.judge.policy();
            for posture in policy.postures_of(rule.postures.as_deref()) {
                if !names.contains(&posture.name()) {
                    names.push(posture.name());
                }
            }
        }
        names
    }

    /// The answers of the rules with a check, and of the others.
    fn by_action<'s, 'r>(
        &self,
        sides: &Sides<'s, 'r>,
        reach: &Reach<'s, 'r>,
        shared: &mut Shared<'r>,
    ) -> [PairAnswers; 2] {
        let account = shared.accounts.number(self.user);
        [SshAction::Check, SshAction::Accept].map(|action| {
            let set = PortSet::of_numbers(protocol_of(action), vec![(account, account)]);
            sides.ask(reach, &set, shared)
        })
    }

    fn posture(&self, reading: &Reading<'_>, from: &Endpoint<'_>, rule: &SshRule<'_>) -> Answer {
        let given = Given {
            device: from.device,
            ..self.asking.given
        };
        let wanted = reading.network.policy.postures_of(rule.postures.as_deref());
        let answers = wanted
            .iter()
            .map(|word| given.has(reading.network, word.name()));
        answers.max().unwrap_or(Answer::Yes)
    }

    /// Whether one of some selectors includes a class.
    fn included(
        &self,
        reading: &Reading<'_>,
        side: Side,
        class: &Class<'_>,
        selectors: &[Selector<'_>],
    ) -> Answer {
        let named = reading.named(side);
        let [takers, _] = &class.takers;
        let of = |selector: &Selector<'_>| {
            let place = named.place(selector.name());
            let mut own = takers.iter().filter(|(at, _)| Some(*at) == place);
            own.next().map_or(Answer::No, |(_, answer)| *answer)
        };
        selectors.iter().map(of).max().unwrap_or_default()
    }

    /// The rules that allow the login; else those that nearly do, and the names that leave them undecided.
    fn note_rules(
        &self,
        reading: &Reading<'_>,
        sides: &Sides<'_, '_>,
        [checked, accepted]: [&PairAnswers; 2],
        is_network: bool,
        explanation: &mut Explanation,
    ) {
        let is_checked = explanation.action == Some(SshAction::Check);
        for (at, (reference, action, rule)) in self.rules.rules.iter().enumerate() {
            let answers = match action {
                SshAction::Check => checked,
                SshAction::Accept => accepted,
            };
            let passes = answers.by_rule.get(at).copied().unwrap_or_default();
            let decides = !is_checked || *action == SshAction::Check;
            match passes {
                Answer::Yes if explanation.verdict.is_open() && decides => {
                    explanation.because.push(*reference);
                }
                Answer::Unknown if explanation.verdict == Verdict::Unknown => {
                    for (side, selectors) in [
                        (Side::Source, &rule.sources),
                        (Side::Destination, &rule.destinations),
                    ] {
                        for selector in selectors {
                            let one = std::slice::from_ref(selector);
                            if self.best(reading, side, sides, one) == Answer::Unknown {
                                note_name(selector.name(), &mut explanation.unresolved);
                            }
                        }
                    }
                }
                Answer::No if explanation.verdict == Verdict::Denied && !is_network => {
                    let miss = self.miss(reading, sides, *reference, rule);
                    explanation.near_misses.extend(miss);
                }
                _ => {}
            }
        }
    }

    fn best(
        &self,
        reading: &Reading<'_>,
        side: Side,
        sides: &Sides<'_, '_>,
        selectors: &[Selector<'_>],
    ) -> Answer {
        let classes = sides_of(sides, side).list.iter();
        let answers = classes.map(|(_, class)| self.included(reading, side, class, selectors));
        answers.max().unwrap_or_default()
    }

    /// What an ssh rule misses, if it is a single thing.
    fn miss(
        &self,
        reading: &Reading<'_>,
        sides: &Sides<'_, '_>,
        reference: RuleRef,
        rule: &SshRule<'_>,
    ) -> Option<NearMiss> {
        if self.best(reading, Side::Destination, sides, &rule.destinations) == Answer::No {
            return None;
        }
        let source = self.best(reading, Side::Source, sides, &rule.sources) != Answer::No;
        let endpoints = sides.senders.list.iter();
        let mut endpoints = endpoints.filter_map(|(_, class)| end_of(class));
        let posture = endpoints.any(|end| self.posture(reading, end, rule) != Answer::No);
        let mut users = rule
            .users
            .iter()
            .filter_map(|user| Account::parse(user.text));
        let account = users.any(|account| match account {
            Account::NonRoot => self.user != "root",
            Account::Named(name) => name == self.user,
            Account::OwnName(_) => false,
        });
        let why = match (source, account, posture) {
            (true, false, true) => {
                let users = listed(rule.users.iter().map(|user| user.name()), ", ");
                joined(&["account: the rule opens ", &users, ", not ", self.user])
            }
            (true, true, false) => {
                let wanted = reading.network.policy.postures_of(rule.postures.as_deref());
                let names = listed(wanted.iter().map(|word| word.name()), " or ");
                joined(&["posture: the source must have ", &names])
            }
            (false, true, true) => {
                let sources = listed(rule.sources.iter().map(Selector::name), ", ");
                let verb = match &rule.sources[..] {
                    [only] if only.kind == Kind::Group => " is not in ",
                    _ => " is none of ",
                };
                let name = quoted(&self.asking.flow.from.name());
                joined(&["source ", &name, verb, &sources])
            }
            _ => return None,
        };
        Some(NearMiss {
            rule: reference,
            why,
        })
    }
}

impl Explanation {
    /// Names the postures with which a login would be allowed that is not, and what is in its way where the ssh rules allow it.
    fn note_postures(&mut self, lacking: &[(Given<'_>, PairAnswers)], is_by_ssh: bool) {
        let names = lacking.iter().flat_map(|(given, _)| given.postures);
        self.postures = names.map(|name| (*name).to_owned()).collect();
        if self.verdict == Verdict::Denied && is_by_ssh {
            self.arrival.hindrance = Some(match &self.postures[..] {
                [] => NO_NETWORK.to_owned(),
                postures => joined(&[ONLY_WITH, &postures.join(" or ")]),
            });
        }
    }
}

/// Whether an ssh rule lets one machine log in to another.
fn admits([checked, accepted]: &[PairAnswers; 2], from: &OfMachine, to: &OfMachine) -> Answer {
    let (from, to) = (from.login, to.login);
    checked.answer(from, to).max(accepted.answer(from, to))
}

/// What is done about a login that is allowed: a check, if one of them needs it.
fn action_of(
    logins: &PairAnswers,
    [own, other]: &[Joined<'_>; 2],
    checked: &PairAnswers,
) -> Option<SshAction> {
    let mut best = None;
    for row in &logins.rows {
        for to in &row.yes {
            let (from, to) = (own.of(row.from)?, other.of(*to)?);
            best = best.max(Some(checked.answer(from.login, to.login)));
        }
    }
    match best? {
        Answer::Yes => Some(SshAction::Check),
        Answer::No => Some(SshAction::Accept),
        Answer::Unknown => None,
    }
}

fn sides_of<'a, 'p>(sides: &Sides<'a, 'p>, side: Side) -> &'a Classes<'p> {
    match side {
        Side::Source => sides.senders,
        Side::Destination => sides.receivers,
    }
}
