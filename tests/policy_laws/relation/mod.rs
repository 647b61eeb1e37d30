//! Laws of differences under everything that text and context leave open: what is said of a pair of documents is so in networks
//! completed at random, and what is not said does not differ. Must not live here: what a network lets pass (network.rs), what is
//! said (reported.rs), edits without meaning (neutral.rs), the order of two documents (symmetry.rs).

mod companies;
mod network;
mod neutral;
mod reported;
mod somewhere;
mod symmetry;

use std::net::IpAddr;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Judge, Policy, PolicyContext, diff_access_between, diff_ssh_between};

use crate::case::{Case, Fault, Found, Law};
use crate::oracle::span::holds;
use crate::random::dice::Dice;
use crate::random::unknown::complete;
use network::{ACCOUNTS, Network};
use reported::{End, Item, Turn, items};

/// How many networks are completed for each pair of documents.
const COMPLETED: usize = 3;

fn seeds(_: &Case, dice: &mut Dice) -> Vec<u64> {
    vec![dice.below(1 << 30) as u64]
}

/// The differences of access, and those of logins.
fn differences(before: &Case, after: &Case, contexts: [&PolicyContext; 2]) -> [Value; 2] {
    let [old, new] = [before, after].map(|case| hujson::parse(&case.text).expect("HuJSON"));
    let (old, new) = (Policy::read(&old), Policy::read(&new));
    let [old, new] = [(&old, contexts[0]), (&new, contexts[1])]
        .map(|(policy, context)| Judge::new(policy, context));
    [
        json!(diff_access_between([&old, &new])),
        json!(diff_ssh_between([&old, &new])),
    ]
}

fn reported(before: &Case, after: &Case) -> [Value; 2] {
    let is_one = before.tailnet() == after.tailnet();
    let later = if is_one {
        &before.context
    } else {
        &after.context
    };
    differences(before, after, [&before.context, later])
}

/// Two networks with their questions: who sends, who receives, and at which device.
struct Pair {
    networks: [Network; 2],
    addresses: Vec<IpAddr>,
}

/// What passes from one address to another, before and after.
struct Passing<'n> {
    from: &'n End<'n>,
    to: &'n End<'n>,
    /// The devices that receive it, by id.
    at: Vec<String>,
    bits: [u64; 2],
    /// Whether some device that may receive it is the one that sends it, or has it behind it.
    is_local: bool,
}

impl Pair {
    fn completed(before: &Case, after: &Case, seed: u64) -> Pair {
        let networks = [before, after]
            .map(|case| Network::new(case.policy(), &complete(case.tailnet(), seed)));
        let mut addresses: Vec<IpAddr> = networks.iter().flat_map(Network::addresses).collect();
        addresses.sort_unstable();
        addresses.dedup();
        Pair {
            networks,
            addresses,
        }
    }

    fn end(&self, address: IpAddr) -> End<'_> {
        let [before, after] = &self.networks;
        End {
            address,
            devices: [before.owner(address), after.owner(address)],
        }
    }

    /// Whether an address is of a device, or behind it: a device does not send to itself over the network.
    fn is_at(&self, address: IpAddr, id: &str) -> bool {
        self.networks
            .iter()
            .filter_map(|network| network.device(id))
            .any(|(_, device)| {
                device.addresses.contains(&address)
                    || device.subnets.iter().any(|it| it.contains(address))
            })
    }

    /// Whether an address goes from one device to another, or to nobody though its device keeps one of the family: it is the device that is
    /// told of.
    fn is_moved(&self, address: IpAddr) -> bool {
        let [before, after] = &self.networks;
        let id = |network: &Network| network.owner(address).map(|device| device.id.clone());
        let is_at_another = |network: &Network, id: &str| {
            let own = network.device(id).map(|(_, device)| &device.addresses);
            own.is_some_and(|own| own.iter().any(|it| it.is_ipv4() == address.is_ipv4()))
        };
        match (id(before), id(after)) {
            (None, None) => false,
            (Some(was), Some(is)) => was != is,
            (Some(was), None) => is_at_another(after, &was),
            (None, Some(is)) => is_at_another(before, &is),
        }
    }

    /// What passes between every source and every destination of its family, before and after: at each device that may receive it in both
    /// networks, and at any device but those that have the source.
    fn each(
        &self,
        knows_devices: bool,
        ask: &mut dyn FnMut(&Passing<'_>) -> Result<(), String>,
    ) -> Result<(), String> {
        let addresses = || self.addresses.iter().filter(|it| !self.is_moved(**it));
        for &to in addresses() {
            for &from in addresses().filter(|from| from.is_ipv4() == to.is_ipv4()) {
                let mut receivers = self.networks.each_ref().map(|it| it.receivers(from, to));
                let is_local = receivers.iter().flatten().any(|at| self.is_at(from, at));
                let sender = self.end(from).devices.into_iter().flatten();
                let is_own = sender
                    .map(|it| &it.id)
                    .any(|id| receivers.iter().flatten().any(|at| at == id));
                for own in &mut receivers {
                    own.retain(|at| !self.is_at(from, at));
                }
                let passes =
                    |reading: usize, at: &String| self.networks[reading].passes(from, to, at);
                let [before, after] = &receivers;
                let (from_end, to_end) = (self.end(from), self.end(to));
                let mut asked = |at: &[&String], bits: [u64; 2]| {
                    ask(&Passing {
                        from: &from_end,
                        to: &to_end,
                        at: at.iter().map(|at| (*at).clone()).collect(),
                        bits,
                        is_local,
                    })
                };
                for at in before.iter().filter(|at| after.contains(at)) {
                    asked(&[at], [passes(0, at), passes(1, at)])?;
                }
                // Another way is taken only where there are routes, of which a text knows nothing; what is behind a device it has without one.
                if before != after && knows_devices && !is_own {
                    let any = |reading: usize| {
                        let own = receivers[reading].iter();
                        own.fold(0, |all, at| all | passes(reading, at))
                    };
                    let all: Vec<&String> = before.iter().chain(after).collect();
                    asked(&all, [any(0), any(1)])?;
                }
            }
        }
        Ok(())
    }

    /// Every device with every other, by id.
    fn logins(&self) -> Vec<(String, String)> {
        let mut ids: Vec<&String> = self
            .networks
            .iter()
            .flat_map(|it| &it.tailnet().devices)
            .map(|it| &it.id)
            .collect();
        ids.sort_unstable();
        ids.dedup();
        let mut pairs = Vec::new();
        for from in &ids {
            pairs.extend(ids.iter().map(|to| ((*from).clone(), (*to).clone())));
        }
        pairs
    }

    fn end_of(&self, id: &str) -> Option<End<'_>> {
        let [before, after] = &self.networks;
        let devices = [before, after].map(|it| it.device(id).map(|(_, device)| device));
        let address = devices
            .iter()
            .flatten()
            .next()?
            .addresses
            .first()
            .copied()?;
        Some(End { address, devices })
    }

    /// Whether the postures and tags on which a difference depends are there: the source has one, a device that forwards has one.
    fn holds(&self, item: &Item, at: usize, from: &End<'_>, through: &str) -> bool {
        let network = &self.networks[at];
        let device = from.devices[at].map_or("", |device| device.id.as_str());
        let tags = network
            .device(through)
            .map_or(&[][..], |(_, device)| &device.tags);
        (item.postures.is_empty() || network.has_posture(device, &item.postures))
            && (item.via.is_empty() || tags.iter().any(|tag| item.via.contains(tag)))
    }

    fn is_excepted(&self, item: &Item, from: &End<'_>, through: &str) -> bool {
        [0, 1].iter().any(|at| {
            let network = &self.networks[*at];
            let device = from.devices[*at].map_or("", |device| device.id.as_str());
            let tags = network
                .device(through)
                .map_or(&[][..], |(_, device)| &device.tags);
            item.unless.iter().any(|[postures, via]| {
                (postures.is_empty() || network.has_posture(device, postures))
                    && (via.is_empty() || tags.iter().any(|tag| via.contains(tag)))
            })
        })
    }
}

/// Whether what is said of access and logins fits a completed pair; the last tells whether devices were known.
type Verdict<'j> = dyn Fn(&Pair, &[Vec<Item>; 2], bool) -> Result<(), String> + 'j;

/// Judges each pair of a case in some completed networks, by what is said of it with its context, and by the texts alone.
fn in_networks(case: &Case, seeds: &[u64], judge: &Verdict<'_>) -> Found {
    let later = case.later();
    if later.refusal().is_some() || case.refusal().is_some() {
        return Ok(0);
    }
    let nothing = PolicyContext::default();
    let with = reported(case, &later).map(|answer| items(&answer));
    let by_text = differences(case, &later, [&nothing, &nothing]).map(|answer| items(&answer));
    let knows_devices = case.context.devices.is_some();
    let mut asked = 0;
    for seed in seeds
        .iter()
        .flat_map(|seed| (0..COMPLETED as u64).map(move |at| seed + at))
    {
        let pair = Pair::completed(case, &later, seed);
        let fault = |says| Fault::new(0, format!("{says}; completed by {seed}"));
        judge(&pair, &with, knows_devices).map_err(fault)?;
        asked += 1;
        // A change of the network is not in the texts.
        if knows_devices && case.tailnet() == later.tailnet() {
            judge(&pair, &by_text, false).map_err(|says| fault(format!("by text {says}")))?;
            asked += 1;
        }
    }
    Ok(asked)
}

/// Whatever differs for some packet or login is reported of its source and destination.
fn judge_silence(case: &Case, seeds: &[u64]) -> Found {
    in_networks(case, seeds, &|pair, [access, logins], knows_devices| {
        let [before, after] = &pair.networks;
        pair.each(knows_devices, &mut |Passing { from, to, at, bits: [was, is], .. }| {
            let (mut gained, mut lost) = (is & !was, was & !is);
            if gained | lost == 0 {
                return Ok(());
            }
            for item in access {
                let is_so = |reading| at.iter().any(|at| pair.holds(item, reading, from, at));
                let about = item.may_be_about(&pair.networks, from, to) && (is_so(0) || is_so(1));
                if about && item.allows(Turn::Gained) {
                    gained &= !item.bits();
                }
                if about && item.allows(Turn::Lost) {
                    lost &= !item.bits();
                }
            }
            let kind = |end: &End<'_>| match end.devices.iter().flatten().next() {
                Some(device) if device.user.is_some() => "user",
                Some(device) if !device.tags.is_empty() => "tag",
                Some(_) => "nobody",
                None => "address",
            };
            let kind = format!("{}-{}", kind(from), kind(to));
            match gained | lost {
                0 => Ok(()),
                left => Err(format!(
                    "packets {kind} are not reported: {} to {} at {at:?}, gained {gained:b}, lost {lost:b} of {left:b}",
                    from.address, to.address
                )),
            }
        })?;
        // A device does not log in to itself over the network.
        for (from, to) in pair.logins().into_iter().filter(|(from, to)| from != to) {
            let (Some(source), Some(end)) = (pair.end_of(&from), pair.end_of(&to)) else {
                continue;
            };
            for account in ACCOUNTS {
                let (was, is) = (
                    before.login(&from, &to, account),
                    after.login(&from, &to, account),
                );
                if was == is {
                    continue;
                }
                let told = logins.iter().any(|item| {
                    let user = source
                        .devices
                        .iter()
                        .flatten()
                        .find_map(|it| it.user.as_deref());
                    let is_so = |reading| pair.holds(item, reading, &source, &to);
                    let is_meant = match (&was, &is) {
                        (None, _) => item.allows(Turn::Gained),
                        (_, None) => item.allows(Turn::Lost),
                        _ => true,
                    };
                    is_meant
                        && item.may_be_about(&pair.networks, &source, &end)
                        && item.accounts(user).contains(&account)
                        && (is_so(0) || is_so(1))
                });
                if !told {
                    return Err(format!(
                        "a login is not reported: {from} to {to} as {account}: {was:?} before, {is:?} after"
                    ));
                }
            }
        }
        Ok(())
    })
}

#[test]
fn whatever_differs_is_reported_of_its_source_and_destination() {
    Law {
        name: "relation silence",
        share: 4,
        draw: seeds,
        judge: judge_silence,
    }
    .holds_for(Case::of_unknown);
}

/// Whether an end is named in no other way than its user or its tag, by the texts: those who may be meant by an address, a role or a
/// synced group have another entry for that.
fn is_plain(case: &Case, later: &Case, network: &Network, end: &End<'_>, at: usize) -> bool {
    let Some(device) = end.devices[at] else {
        return false;
    };
    let mut names = Vec::new();
    for policy in [case.policy(), later.policy()] {
        names.extend(crate::oracle::Oracle::new(policy, &json!({})).names());
    }
    names.iter().all(|name| {
        let set = network.tailnet().set(name);
        let is_wide = [
            "*",
            "autogroup:member",
            "autogroup:tagged",
            "autogroup:danger-all",
        ]
        .contains(&name.as_str());
        let is_in = name.contains(':') || name.contains('@');
        let by_name = is_in && !is_wide && network.tailnet().takes_in(name, device) == Some(true);
        let is_own = device.user.as_ref() == Some(name)
            || device.tags.contains(name)
            || name.starts_with("group:") && !name.contains('@');
        !holds(&set, end.address) && (!by_name || is_own)
    }) && device.tags.len() < 2
}

/// What is said for certain is so in every network: what is gained passes only after, what is lost only before.
fn judge_alarm(case: &Case, seeds: &[u64]) -> Found {
    let later = case.later();
    in_networks(case, seeds, &|pair, [access, logins], knows_devices| {
        let plain = |end: &End<'_>, at| {
            knows_devices || is_plain(case, &later, &pair.networks[at], end, at)
        };
        pair.each(knows_devices, &mut |Passing { from, to, at, bits, is_local }| {
            // What comes from behind a device need not go to it over the network.
            for item in access.iter().filter(|_| !is_local) {
                let Some(reading) = item.certain() else { continue };
                if item.is_vacant || !item.is_about(&pair.networks[reading], reading, from, to) {
                    continue;
                }
                // Of several devices that may forward, one is enough.
                let [through] = &at[..] else { continue };
                let is_so = pair.holds(item, reading, from, through) && !pair.is_excepted(item, from, through);
                let (has, had) = (bits[reading] & item.bits(), bits[1 - reading] & item.bits());
                if is_so && item.goes_through(&pair.networks[reading], to, through) && plain(from, reading) && plain(to, reading) && (has != item.bits() || had != 0) {
                    let what = if had == 0 { "neither lets in" } else { "both let in" };
                    return Err(format!("packets are reported that {what}: {} to {} at {through}, {has:b} and {had:b} of {:b}: {}", from.address, to.address, item.bits(), item.says));
                }
            }
            Ok(())
        })?;
        // A device does not log in to itself over the network.
        for (from, to) in pair.logins().into_iter().filter(|(from, to)| from != to) {
            let (Some(source), Some(end)) = (pair.end_of(&from), pair.end_of(&to)) else {
                continue;
            };
            // A rule by name reaches one's own devices if it has another destination, which a text does not tell.
            let is_told = |item: &&Item| !item.is_vacant && (knows_devices || !item.is_own());
            for item in logins.iter().filter(is_told) {
                let Some(reading) = item.certain() else {
                    continue;
                };
                if !item.is_about(&pair.networks[reading], reading, &source, &end)
                    || !plain(&source, reading)
                    || !plain(&end, reading)
                {
                    continue;
                }
                if !pair.holds(item, reading, &source, &to) || pair.is_excepted(item, &source, &to)
                {
                    continue;
                }
                let user = source.devices[reading].and_then(|device| device.user.as_deref());
                for account in item.accounts(user) {
                    let is = pair.networks[reading].login(&from, &to, account);
                    let was = pair.networks[1 - reading].login(&from, &to, account);
                    if is.is_none() || was.is_some() {
                        let what = if is.is_none() {
                            "neither has"
                        } else {
                            "both have"
                        };
                        return Err(format!(
                            "a login is reported that {what}: {from} to {to} as {account}, {is:?} and {was:?}: {}",
                            item.says
                        ));
                    }
                }
            }
        }
        Ok(())
    })
}

#[test]
fn what_is_reported_for_certain_is_so_in_every_network() {
    Law {
        name: "relation alarm",
        share: 4,
        draw: seeds,
        judge: judge_alarm,
    }
    .holds_for(Case::of_unknown);
}

/// In a network of which everything is known, nothing is undecided but what is said of devices of other tailnets and of services.
fn judge_complete(case: &Case, seeds: &[u64]) -> Found {
    let later = case.later();
    if later.refusal().is_some() || case.refusal().is_some() {
        return Ok(0);
    }
    let completed = |case: &Case| complete(case.tailnet(), seeds[0]);
    let networks = [case, &later]
        .map(|it| PolicyContext::read(&completed(it).to_string()).expect("a network"));
    let is_one = completed(case) == completed(&later);
    let second = if is_one { &networks[0] } else { &networks[1] };
    let answers = differences(case, &later, [&networks[0], second]);
    for item in answers.iter().flat_map(items) {
        // Nothing is known of a device that does not exist, nor of the devices of other tailnets.
        let is_known = !item.is_vacant && item.source["name"] != "autogroup:shared";
        // Which of several routers forwards is known in no network.
        let is_known = is_known && !item.says.contains("which router forwards it is not known");
        if item.turn == Turn::Undecided && is_known {
            return Err(Fault::new(
                0,
                format!(
                    "undecided: in a network completed by {}, {}",
                    seeds[0], item.says
                ),
            ));
        }
    }
    Ok(1)
}

#[test]
fn nothing_is_undecided_where_everything_is_known() {
    Law {
        name: "relation complete",
        share: 8,
        draw: seeds,
        judge: judge_complete,
    }
    .holds_for(Case::of_unknown);
}
