//! An assertion in one complete network, flow by flow and login by login. Must not live here: the engine's answer.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::rc::Rc;

use serde_json::Value;

use super::Ends;
use super::claims::{Asked, Told, has_ports, speaks_of};
use super::field::{self, Bits, Field, Reached, Traffic};
use super::logins::{self, Logins, accounts};
use super::open::Whole;
use crate::oracle::document::texts;
use crate::oracle::span::{Set, everything, holds, internet};
use crate::oracle::tailnet::Device;
use crate::oracle::{Answer, Oracle};
use crate::random::dice::Dice;

/// Whether it fails, and by which flow or login.
#[derive(Default, Debug)]
pub struct Judged {
    /// What is against it whatever postures there are and whichever router receives: by the names of both ends, and the account
    /// of a login.
    pub fails: HashMap<Ends, Bits>,
    /// What is against it with some postures and some routers.
    pub may_fail: Option<String>,
    /// How many flows and logins were checked.
    pub looked_at: u64,
}

/// The two policies as text.
pub struct Policies<'p> {
    pub own: &'p Value,
    pub base: &'p Value,
}

/// The traffic to tell apart, where nothing of the network is known.
pub fn traffic(policies: &Policies<'_>, asked: &Asked) -> Traffic {
    let nobody = serde_json::json!({"devices": [], "users": []});
    let own = Oracle::new(policies.own, &nobody);
    let base = Oracle::new(policies.base, &nobody);
    match asked.parts().1.get("from") {
        Some(_) => Traffic::new(&[&own]),
        None => Traffic::new(&[&own, &base]),
    }
}

pub fn judge(whole: &Whole, policies: &Policies<'_>, asked: &Asked) -> Result<Judged, String> {
    let (verb, claim) = asked.parts();
    let both = ["noMoreThan", "sameAs"].contains(&verb);
    let own = Oracle::new(policies.own, &whole.context);
    let base = both.then(|| Oracle::new(policies.base, &whole.context));
    let oracles: Vec<&Oracle> = [&own].into_iter().chain(&base).collect();
    let (from, to) = (texts(claim.get("from")), texts(claim.get("to")));
    let named: Vec<&str> = from.iter().chain(&to).map(String::as_str).collect();
    let ends = field::ends(&oracles, &named);
    let of_ssh = [policies.own, policies.base].map(logins::postures).concat();
    let judging = Judging {
        verb,
        claim,
        traffic: Traffic::new(&oracles),
        postures: field::postures(&oracles, &of_ssh),
        own: &own,
        ends: &ends,
        told: asked.told,
    };
    let mut judged = Judged::default();
    let is_login = claim.get("users").is_some();
    if !is_login {
        judging.flows(base.as_ref(), asked, &mut judged)?;
    }
    if is_login || both {
        let own = Logins::new(&own, policies.own, whole.there);
        let base = base.as_ref();
        let base = base.map(|base| Logins::new(base, policies.base, whole.there));
        judging.logins([Some(&own), base.as_ref()], &mut judged);
    }
    Ok(judged)
}

/// Names with the sets that they stand for.
struct Named(Vec<(String, Set)>);

impl Named {
    fn new(oracle: &Oracle, names: Option<&Value>, is_source: bool) -> Named {
        let set = |name: String| match name.as_str() {
            "*" if !is_source => (name, everything()),
            "autogroup:internet" => (name, internet()),
            _ => {
                let set = oracle.tailnet.sources(std::slice::from_ref(&name));
                (name, set)
            }
        };
        Named(texts(names).into_iter().map(set).collect())
    }

    fn hold(&self, end: IpAddr) -> bool {
        self.0.iter().any(|(_, set)| holds(set, end))
    }

    fn has_own(&self) -> bool {
        self.0.iter().any(|(name, _)| name == "autogroup:self")
    }
}

/// The traffic against a claim between two ends, with the account of a login.
type Against = HashMap<(usize, usize, String), Bits>;

struct Judging<'j> {
    verb: &'j str,
    claim: &'j Value,
    traffic: Traffic,
    postures: Vec<Option<Value>>,
    own: &'j Oracle,
    ends: &'j [IpAddr],
    /// How much of the network is known.
    told: Told,
}

impl Judging<'_> {
    /// The pairs of ends that the claim is about; all pairs for a claim that compares.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let all = 0..self.ends.len();
        if self.claim.get("from").is_none() {
            return all
                .clone()
                .flat_map(|from| all.clone().map(move |to| (from, to)))
                .collect();
        }
        let sources = Named::new(self.own, self.claim.get("from"), true);
        let targets = Named::new(self.own, self.claim.get("to"), false);
        let user = |end: usize| self.own.tailnet.owner(self.ends[end])?.user.as_deref();
        let mut pairs = Vec::new();
        for from in all.clone() {
            if sources.hold(self.ends[from]) == (self.verb == "only") {
                continue;
            }
            let is_own = |to: usize| user(from).is_some() && user(from) == user(to);
            let to = all
                .clone()
                .filter(|to| targets.hold(self.ends[*to]) || targets.has_own() && is_own(*to));
            pairs.extend(to.map(|to| (from, to)));
        }
        pairs
    }

    /// Packets of one family do not reach addresses of the other (docs/policy-language.md#assertions).
    fn are_of_one_family(&self, from: usize, to: usize) -> bool {
        self.ends[from].is_ipv4() == self.ends[to].is_ipv4()
    }

    fn flows(
        &self,
        base: Option<&Oracle>,
        asked: &Asked,
        judged: &mut Judged,
    ) -> Result<(), String> {
        let field = |oracle| Field::new(oracle, self.ends, &self.traffic, &self.postures);
        let (mut own, mut base) = (field(self.own), base.map(field));
        let wanted = match base {
            Some(_) => Bits::MAX >> (64 - self.traffic.atoms.len()),
            None => self
                .traffic
                .bits(|atom| speaks_of(self.verb, self.claim, atom)),
        };
        let pairs = self.pairs();
        let mut against = Against::default();
        for &(from, to) in &pairs {
            if !self.are_of_one_family(from, to) {
                against.insert((from, to, String::new()), 0);
                continue;
            }
            for (at, attributes) in self.postures.iter().enumerate() {
                let given = (at, attributes.as_ref());
                let own = own.reached(from, to, given);
                let base = base.as_mut().map(|base| base.reached(from, to, given));
                let (fails, may_fail) = self.against(&own, base.as_ref(), wanted);
                let tell = |bits: Bits| {
                    let atom = self.traffic.atoms[bits.trailing_zeros() as usize];
                    let (from, to) = (self.ends[from], self.ends[to]);
                    format!("{from} to {to} {atom:?} with {attributes:?}")
                };
                // Each end has a sender without any posture.
                if at == 0 {
                    against.insert((from, to, String::new()), fails);
                }
                if may_fail != 0 && judged.may_fail.is_none() {
                    judged.may_fail = Some(tell(may_fail));
                }
                judged.looked_at += u64::from(wanted.count_ones());
            }
        }
        judged.fails = self.by_name(against, wanted);
        if self.claim.get("paths").is_some() {
            self.paths(&mut own, wanted, judged);
        }
        self.sample(&mut own, &pairs, asked.seed)
    }

    /// The same over devices, each of which goes on as itself once a port of it is reached: the last flows of such paths are
    /// against the claim.
    fn paths(&self, own: &mut Field<'_>, wanted: Bits, judged: &mut Judged) {
        let all = 0..self.ends.len();
        let onto = self.traffic.bits(|(protocol, _)| has_ports(protocol));
        let device = |end: usize| {
            let owner = self.own.tailnet.owner(self.ends[end]);
            owner.map(|owner| owner.addresses.clone())
        };
        let pairs = self.pairs();
        let first: BTreeSet<usize> = pairs.iter().map(|(from, _)| *from).collect();
        let mut against = Against::default();
        for start in first {
            for is_sure in [true, false] {
                let mut reach = |from: usize, to: usize| {
                    let each = self.postures.iter().enumerate();
                    let given = each.map(|(at, attributes)| (at, attributes.as_ref()));
                    match is_sure {
                        _ if !self.are_of_one_family(from, to) => 0,
                        true => own
                            .reached(from, to, (0, self.postures[0].as_ref()))
                            .least(),
                        false => {
                            given.fold(0, |bits, given| bits | own.reached(from, to, given).most())
                        }
                    }
                };
                let (mut there, mut at) = (vec![start], 0);
                while let Some(&from) = there.get(at) {
                    for to in all.clone() {
                        let bits = reach(from, to);
                        if bits & wanted != 0 && at > 0 && pairs.contains(&(start, to)) {
                            let (from_end, to_end) = (self.ends[from], self.ends[to]);
                            if is_sure {
                                against.insert((from, to, String::new()), bits & wanted);
                            } else {
                                let path = format!("{from_end} to {to_end} at the end of a path");
                                judged.may_fail = Some(path);
                            }
                        }
                        let next = all.clone().filter(|end| {
                            *end == to || device(to).is_some() && device(to) == device(*end)
                        });
                        if bits & onto != 0 && !there.contains(&to) {
                            let next: Vec<usize> =
                                next.filter(|end| !there.contains(end)).collect();
                            there.extend(next);
                        }
                    }
                    at += 1;
                }
            }
        }
        let names = |end: usize| self.names(end).into_iter().map(Rc::<str>::from);
        for ((from, to, _), bits) in against {
            for from in names(from) {
                for to in names(to) {
                    judged.fails.insert([from.clone(), to, "".into()], bits);
                }
            }
        }
    }

    /// What is against the claim, by the names of the ends: each end by its address, and by its owner where the claim is about
    /// all addresses of that owner. A login does not depend on an address, so it is against the claim from and to all of them.
    /// Where two owners have no addresses of one family nothing passes between them, and nothing says what would.
    fn by_name(&self, against: Against, wanted: Bits) -> HashMap<Ends, Bits> {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        let mut texts: Vec<(Rc<str>, usize)> = Vec::new();
        let mut number = |name: String| {
            let at = *numbers.entry(name.clone()).or_insert(texts.len());
            if at == texts.len() {
                texts.push((name.into(), 0));
            }
            texts[at].1 += 1;
            at
        };
        let mut names: Vec<Vec<usize>> = Vec::new();
        for end in 0..self.ends.len() {
            names.push(self.names(end).into_iter().map(&mut number).collect());
        }
        let mut found: HashMap<(usize, usize, &str), (Bits, usize, bool)> = HashMap::new();
        for ((from, to, account), bits) in &against {
            for source in &names[*from] {
                for target in &names[*to] {
                    let key = (*source, *target, account.as_str());
                    let (all, pairs, is_met) = found.entry(key).or_default();
                    (*all, *pairs) = (*all | bits, *pairs + 1);
                    *is_met |= !account.is_empty() || self.are_of_one_family(*from, *to);
                }
            }
        }
        found.retain(|(from, to, _), (bits, pairs, is_met)| {
            if !*is_met {
                *bits = wanted;
            }
            *bits != 0 && *pairs == texts[*from].1 * texts[*to].1
        });
        let text = |at: usize| texts[at].0.clone();
        let each = found.into_iter();
        each.map(|((from, to, account), (bits, ..))| ([text(from), text(to), account.into()], bits))
            .collect()
    }

    fn names(&self, end: usize) -> Vec<String> {
        let mut names = vec![self.ends[end].to_string()];
        let owner = self
            .own
            .tailnet
            .owner(self.ends[end])
            .filter(|_| self.told != Told::Everything);
        let Some(owner) = owner else {
            return names;
        };
        match owner.user.as_deref() {
            Some(login) => {
                names.push(login.to_owned());
                // The users who hold a role, where it is not known who they are.
                names.extend(
                    self.own
                        .tailnet
                        .role(login)
                        .filter(|role| *role != "member")
                        .map(|role| format!("autogroup:{role}")),
                );
            }
            None => names.push(owner.tags.join(" ")),
        }
        names
    }

    /// The traffic of a flow that is against the claim: with every router, and with some.
    fn against(&self, own: &Reached, base: Option<&Reached>, wanted: Bits) -> (Bits, Bits) {
        let Some(base) = base else {
            return match self.verb {
                "always" => (wanted & !own.most(), wanted & !own.least()),
                _ => (wanted & own.least(), wanted & own.most()),
            };
        };
        let (mut fails, mut may_fail) = (Bits::MAX, 0);
        for (at, own_bits) in own.bits.iter().enumerate() {
            for (other, base_bits) in base.bits.iter().enumerate() {
                // The same router receives under both policies, where both leave the same choice.
                if own.receivers == base.receivers
                    && own.bits.len() == base.bits.len()
                    && at != other
                {
                    continue;
                }
                let more = own_bits & !base_bits;
                let less = if self.verb == "sameAs" {
                    base_bits & !own_bits
                } else {
                    0
                };
                fails &= more | less;
                may_fail |= more | less;
            }
        }
        (fails & wanted, may_fail & wanted)
    }

    /// Whether the answers for all traffic at once are those of the oracle, packet by packet.
    fn sample(
        &self,
        own: &mut Field<'_>,
        pairs: &[(usize, usize)],
        seed: u64,
    ) -> Result<(), String> {
        let mut dice = Dice::new(seed);
        for _ in 0..pairs.len().min(3) {
            let &(from, to) = dice.pick(pairs);
            let at = dice.below(self.postures.len());
            let attributes = self.postures[at].as_ref();
            let given = Oracle::attributes_at(self.ends[from], attributes);
            let bit = dice.below(self.traffic.atoms.len());
            let reached = own.reached(from, to, (at, attributes));
            let said = own.by_packet((from, to), self.traffic.atoms[bit], given);
            let found = match (reached.least() >> bit & 1, reached.most() >> bit & 1) {
                (1, _) => Answer::Allowed,
                (_, 1) => Answer::Unknown,
                _ => Answer::Denied,
            };
            if said != found {
                let (from, to) = (self.ends[from], self.ends[to]);
                return Err(format!(
                    "brute force: {from} to {to} is {said:?}, not {found:?}"
                ));
            }
        }
        Ok(())
    }

    fn logins(&self, [own, base]: [Option<&Logins<'_>>; 2], judged: &mut Judged) {
        let device = |end: usize| self.own.tailnet.owner(self.ends[end]);
        let mut users = texts(self.claim.get("users"));
        if base.is_some() {
            users = ["root", "autogroup:nonroot"].map(str::to_owned).to_vec();
        }
        let mut against = Against::default();
        for (from, to) in self.pairs() {
            let (Some(source), Some(target)) = (device(from), device(to)) else {
                continue;
            };
            for account in accounts(&users, source) {
                for (at, attributes) in self.postures.iter().enumerate() {
                    let ask = |logins: Option<&Logins<'_>>| {
                        logins.is_some_and(|logins| {
                            logins.lets_in((source, target), &account, attributes.as_ref())
                        })
                    };
                    judged.looked_at += 1;
                    if self.is_against(ask(own), ask(base)) {
                        let says = tell(source, target, &account);
                        judged.may_fail.get_or_insert_with(|| says.clone());
                        if at == 0 {
                            against.insert((from, to, account.clone()), 1);
                        }
                    }
                }
            }
        }
        judged.fails.extend(self.by_name(against, 0));
    }

    fn is_against(&self, own: bool, base: bool) -> bool {
        match self.verb {
            "always" => !own,
            "noMoreThan" => own && !base,
            "sameAs" => own != base,
            _ => own,
        }
    }
}

fn tell(from: &Device, to: &Device, account: &str) -> String {
    format!("{from:?} to {to:?} as {account}")
}
