//! What differences say: of which sources and destinations, which traffic, in which direction. Must not live here: whether it is so.

use std::net::IpAddr;

use serde_json::Value;

use super::network::{ACCOUNTS, Network, bits};
use crate::oracle::document::{protocol, texts};
use crate::oracle::span::{Set, Span, everything, holds, internet, tailnet};
use crate::oracle::tailnet::Device;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    Gained,
    Lost,
    Undecided,
    Checked,
}

/// One reported difference.
#[derive(Clone, Debug)]
pub struct Item {
    pub turn: Turn,
    pub source: Value,
    pub destination: Value,
    pub from: Vec<String>,
    pub to: Vec<String>,
    /// The traffic, as bits; of logins, the accounts.
    opens: u64,
    users: Vec<String>,
    pub postures: Vec<String>,
    pub via: Vec<String>,
    /// Postures and tags, of any of which nothing differs: of each kind that is named one must be there.
    pub unless: Vec<[Vec<String>; 2]>,
    /// What may become of what is undecided.
    pub may: Option<Turn>,
    /// Whether something would have to be known to be sure that it differs: who loses or gains it may have it by a wider name.
    pub is_doubtful: bool,
    /// Whether nobody can use it now.
    pub is_vacant: bool,
    pub says: String,
}

/// Somebody who sends or receives: an address, with its device in each reading.
pub struct End<'n> {
    pub address: IpAddr,
    pub devices: [Option<&'n Device>; 2],
}

const LISTS: [(&str, Turn); 4] = [
    ("gained", Turn::Gained),
    ("lost", Turn::Lost),
    ("undecided", Turn::Undecided),
    ("checked", Turn::Checked),
];

/// The differences of an answer, those of access one by one for each protocol.
pub fn items(answer: &Value) -> Vec<Item> {
    let mut items = Vec::new();
    for change in answer.as_array().into_iter().flatten() {
        for (list, turn) in LISTS {
            for reach in change[list].as_array().into_iter().flatten() {
                let openings = reach["opens"].as_array();
                let own = std::slice::from_ref(reach);
                for opening in openings.map_or(own, Vec::as_slice) {
                    items.push(item(turn, change, reach, opening));
                }
            }
        }
    }
    items
}

/// What is said of `unless`: each posture and each tag by itself, or both together.
fn conditions(unless: &Value) -> Vec<[Vec<String>; 2]> {
    let of = |it: &Value| [texts(it.get("postures")), texts(it.get("via"))];
    let [postures, via] = of(unless);
    let both = unless["both"].as_array().into_iter().flatten().map(of);
    let mut all = vec![[postures, Vec::new()], [Vec::new(), via]];
    all.extend(both);
    all.retain(|[postures, via]| !postures.is_empty() || !via.is_empty());
    all
}

fn item(turn: Turn, change: &Value, reach: &Value, opening: &Value) -> Item {
    let part = &reach["part"];
    let mut says = reach.clone();
    if let Some(says) = says.as_object_mut() {
        says.retain(|key, _| !["because", "party", "needs"].contains(&key.as_str()));
    }
    Item {
        turn,
        source: change["party"].clone(),
        destination: reach["party"].clone(),
        from: texts(part.get("from")),
        to: texts(part.get("to")),
        opens: opening
            .get("proto")
            .map_or(0, |_| bits(|port, number| opens(opening, port, number))),
        users: texts(reach.get("users")),
        postures: texts(opening.get("postures")),
        via: texts(opening.get("via")),
        unless: conditions(&opening["unless"]),
        may: match reach["may"].as_str() {
            Some("gained") => Some(Turn::Gained),
            Some("lost") => Some(Turn::Lost),
            _ => None,
        },
        is_doubtful: reach.get("why").is_some(),
        is_vacant: reach.get("today").is_some(),
        says: format!("{} {turn:?} {says}", change["source"]),
    }
}

fn opens(opening: &Value, port: u16, number: u8) -> bool {
    let own = match &opening["proto"] {
        Value::Number(own) => own.as_u64() == Some(u64::from(number)),
        Value::String(own) if own == "ping" => false,
        own => protocol(own.as_str().expect("a protocol")) == number,
    };
    let has_port = |ports: &str| {
        ports == "*"
            || ports.split(',').any(|part| {
                let number = |text: &str| text.parse::<u16>().expect("a port");
                let (first, last) = part.split_once('-').unwrap_or((part, part));
                number(first) <= port && port <= number(last)
            })
    };
    own && (number == 47 || has_port(opening["ports"].as_str().expect("ports")))
}

impl Item {
    /// What is said in a form that does not depend on the order of the two documents: a name that means others elsewhere is written with
    /// its addresses in one of them only. How a posture of one of the two documents is written is passed on.
    pub fn turned(
        &self,
        turn: &dyn Fn(Turn) -> Turn,
        posture: &dyn Fn(usize, &String) -> String,
    ) -> String {
        let at = usize::from(self.turn != Turn::Lost && self.may != Some(Turn::Lost));
        let called = |at, names: &[String]| -> Vec<String> {
            names.iter().map(|name| posture(at, name)).collect()
        };
        let name = |party: &Value| {
            let name = party["name"].as_str().unwrap_or_default();
            name.split(" (").next().unwrap_or_default().to_owned()
        };
        let (source, destination) = (name(&self.source), name(&self.destination));
        let (may, turn) = (self.may.map(turn), turn(self.turn));
        let unless = self.unless.iter();
        let unless: Vec<_> = unless
            .map(|[postures, via]| (called(1 - at, postures), via))
            .collect();
        format!(
            "{source} {turn:?} {may:?} {destination} {:b} {:?} with {:?} {:?} unless {:?} part {:?} {:?} {}",
            self.opens,
            self.users,
            called(at, &self.postures),
            self.via,
            unless,
            self.from,
            self.to,
            self.is_vacant
        )
    }

    /// Whether it allows for a gain or a loss.
    pub fn allows(&self, turn: Turn) -> bool {
        match self.turn {
            Turn::Undecided => self.may.is_none_or(|may| may == turn),
            own => own == turn,
        }
    }

    /// Whether it says for certain that a reading has what the other has not: which of the two.
    pub fn certain(&self) -> Option<usize> {
        match self.turn {
            _ if self.is_doubtful => None,
            Turn::Gained => Some(1),
            Turn::Lost => Some(0),
            Turn::Undecided | Turn::Checked => None,
        }
    }

    /// The traffic.
    pub fn bits(&self) -> u64 {
        self.opens
    }

    /// The accounts under which a user logs in.
    pub fn accounts(&self, login: Option<&str>) -> Vec<&'static str> {
        let is_own = |domain: &str, account: &str| {
            let parts = login.and_then(|login| login.split_once('@'));
            parts.is_some_and(|(name, own)| name == account && own == domain)
        };
        let has = |account: &&str| {
            self.users.iter().any(|text| {
                if let Some(domain) = text.strip_prefix("localpart:*@") {
                    return is_own(domain, account);
                }
                match text.strip_prefix("autogroup:nonroot") {
                    Some(but) => {
                        let but = but.strip_prefix(" but ").unwrap_or_default();
                        *account != "root" && !but.split(", ").any(|it| it == *account)
                    }
                    None => text == account,
                }
            })
        };
        ACCOUNTS
            .into_iter()
            .filter(|account| has(account))
            .collect()
    }

    /// Whether it may be about a source and a destination: if in doubt, it is.
    pub fn may_be_about(&self, networks: &[Network; 2], from: &End<'_>, to: &End<'_>) -> bool {
        let source = [0, 1].iter().any(|at| {
            is_one(
                &self.source,
                &networks[*at],
                from.address,
                from.devices[*at],
            )
        });
        let own = self.is_own()
            && [0, 1]
                .iter()
                .any(|at| share_user(from.devices[*at], to.devices[*at]));
        let to_one = |at: &usize| {
            is_one(
                &self.destination,
                &networks[*at],
                to.address,
                to.devices[*at],
            )
        };
        // Which subnets `*` stands for is not in a text, and its parts do not list them where a rule names every address.
        let is_subnet = self.source["kind"] == "any" && !holds(&tailnet(), from.address);
        source
            && (own || [0, 1].iter().any(to_one))
            && (is_subnet || is_part(&self.from, from))
            && is_part(&self.to, to)
    }

    /// Whether it is certainly about both in one reading.
    pub fn is_about(&self, network: &Network, at: usize, from: &End<'_>, to: &End<'_>) -> bool {
        let is_vague = |part: &[String]| part.iter().any(|text| text.starts_with("all but "));
        if is_vague(&self.from) || is_vague(&self.to) {
            return false;
        }
        let (source, destination) = (from.devices[at], to.devices[at]);
        let named = |party: &Value, end: &End<'_>, device: Option<&Device>| {
            let kind = party["kind"].as_str().unwrap_or_default();
            match kind {
                "user" | "tag" | "device" => is_one(party, network, end.address, device),
                // A device is told by its own name.
                "host" | "address" | "prefix" | "range" | "ipset" | "subnet" | "internet" => {
                    device.is_none() && is_one(party, network, end.address, device)
                }
                _ => false,
            }
        };
        let own = self.is_own() && share_user(source, destination);
        named(&self.source, from, source)
            && (own || named(&self.destination, to, destination))
            && is_part(&self.from, from)
            && is_part(&self.to, to)
    }

    /// Whether what a device forwards is meant of this one.
    pub fn goes_through(&self, network: &Network, to: &End<'_>, through: &str) -> bool {
        let mut named = self
            .to
            .iter()
            .filter_map(|text| text.strip_prefix("through "));
        let own = network.device(through).map(|(_, device)| device);
        let is_own = |text: &str| own.is_some_and(|own| is_called(own, text));
        let is_device = to.devices.iter().any(Option::is_some);
        is_device || named.clone().next().is_none() || named.any(is_own)
    }

    pub fn is_own(&self) -> bool {
        self.destination["name"] == "autogroup:self"
    }
}

/// Whether a device is shown like this: by its name, perhaps with its id or a part of it, or by its id alone.
fn is_called(device: &Device, shown: &str) -> bool {
    let (name, id) = (&device.name, &device.id);
    shown == name || shown.starts_with(&format!("{name} (")) || shown == format!("device {id}")
}

/// Whether both are untagged devices of one user.
pub fn share_user(one: Option<&Device>, other: Option<&Device>) -> bool {
    let user = |device: Option<&Device>| device.and_then(|device| device.user.clone());
    user(one).is_some() && user(one) == user(other)
}

/// The addresses of a name in one network; of one that means other addresses elsewhere, those that stand behind it.
pub fn set_of(name: &str, network: &Network) -> Set {
    match name.split_once(" (") {
        // A list that is cut short may have any other address.
        Some((_, nets)) if nets.contains('…') => everything(),
        Some((_, nets)) => {
            let nets = nets.trim_end_matches(')').split(", ");
            nets.filter_map(Span::read).collect()
        }
        None if name == "autogroup:internet" => internet(),
        None => network.tailnet().set(name),
    }
}

/// Whether a party includes an address with its device.
fn is_one(party: &Value, network: &Network, address: IpAddr, device: Option<&Device>) -> bool {
    let name = party["name"].as_str().expect("a name");
    match party["kind"].as_str().expect("a kind") {
        "device" => device.is_some_and(|device| party["id"] == device.id.as_str()),
        "user" | "tag" | "group" | "domain" => {
            let plain = name.split(" (").next().unwrap_or(name);
            device.is_some_and(|device| network.takes_in(plain, device))
        }
        "autogroup" => match name {
            "autogroup:self" | "autogroup:shared" => false,
            "autogroup:danger-all" => true,
            "autogroup:internet" => holds(&internet(), address),
            name => device.is_some_and(|device| network.takes_in(name, device)),
        },
        "any" => true,
        "service" => false,
        _ => holds(&set_of(name, network), address),
    }
}

/// Whether a part of a name includes an address with its device: any of some addresses, and any of some devices.
fn is_part(part: &[String], end: &End<'_>) -> bool {
    let (mut addresses, mut devices) = (Vec::new(), Vec::new());
    for text in part {
        match text.as_str() {
            "IPv4" => addresses.push(end.address.is_ipv4()),
            "IPv6" => addresses.push(end.address.is_ipv6()),
            text if text.starts_with("all but ") => addresses.push(true),
            "addresses that no device has" => {
                addresses.push(end.devices.iter().all(Option::is_none));
            }
            text if text.starts_with("subnets behind devices") => {
                let is_subnet = !holds(&tailnet(), end.address);
                addresses.push(is_subnet && is_of_family(text, end.address));
            }
            // Whoever is in the tailnet may be one.
            text if text.starts_with("autogroup:member") => {
                let is_known = end.devices.iter().any(Option::is_some);
                addresses.push(is_known && is_of_family(text, end.address));
            }
            // Who forwards is judged elsewhere.
            text if text.starts_with("through ") => {}
            text => match Span::read(text) {
                Some(span) => addresses.push(span.contains(end.address)),
                None => devices.push(text),
            },
        }
    }
    let known = |name: &&str| {
        let mut own = end.devices.iter().flatten();
        own.any(|device| is_called(device, name))
    };
    (addresses.is_empty() || addresses.contains(&true))
        && (devices.is_empty() || devices.iter().any(known))
}

/// Whether an address is of the family that a part names behind its name, if any.
fn is_of_family(text: &str, address: IpAddr) -> bool {
    match text.split_once(" (") {
        Some((_, "IPv4)")) => address.is_ipv4(),
        Some((_, "IPv6)")) => address.is_ipv6(),
        _ => true,
    }
}
