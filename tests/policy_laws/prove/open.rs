//! What is not known of a network, and complete networks that agree with what is known. Must not live here: claims about them.

use std::net::IpAddr;

use serde_json::{Value, json};

use crate::oracle::span::{Span, holds, internet, prefixes, tailnet};
use crate::random::dice::Dice;
use crate::random::tailnets::USERS;

/// Everything but the addresses of devices, and those of which [`outsider`] is one.
const EVERYWHERE: [&str; 19] = [
    "0.0.0.0/2",
    "64.0.0.0/3",
    "96.0.0.0/6",
    "100.0.0.0/10",
    "100.128.0.0/9",
    "101.0.0.0/8",
    "102.0.0.0/7",
    "104.0.0.0/5",
    "112.0.0.0/4",
    "128.0.0.0/1",
    "100.115.92.0/23",
    "::/1",
    "8000::/2",
    "c000::/3",
    "e000::/4",
    "f000::/5",
    "f800::/6",
    "fd00::/10",
    "fe00::/7",
];

/// The address of somebody in another tailnet: in no set but that of all addresses, and behind no router.
pub fn outsider() -> IpAddr {
    "fc00::9".parse().expect("an address")
}

/// A network in which nothing is open but postures and routers.
pub struct Whole {
    pub context: Value,
    /// How many of its devices are real, and not only assumed.
    pub there: usize,
}

/// What complete networks are made from.
pub struct Open<'c> {
    /// What is known of the network.
    pub context: &'c Value,
    /// The tags that the policy declares.
    pub tags: Vec<&'c str>,
    /// Those of them by whose way grants lead.
    pub ways: Vec<&'c str>,
    /// The roles that rules and claim name.
    pub roles: Vec<&'c str>,
    /// One address of each class.
    pub ends: Vec<IpAddr>,
    /// Whether each address of the tailnet has an owner, as for logins, which only devices make.
    pub all_owned: bool,
}

/// The owner of a device.
#[derive(Clone, PartialEq, Debug)]
enum Owner {
    User(String),
    Tag(String),
}

impl Open<'_> {
    /// Whether all of the network is known.
    pub fn is_settled(&self) -> bool {
        self.has_devices() && self.has_roles()
    }

    fn has_devices(&self) -> bool {
        self.context.get("devices").is_some()
    }

    /// Whether all users are known with their roles.
    fn has_roles(&self) -> bool {
        let users = self.context.get("users").and_then(Value::as_array);
        users.is_some_and(|users| users.iter().all(|user| user.get("role").is_some()))
    }

    /// The network with this number, the simplest first. Two ends in focus have each combination of owners in turn.
    pub fn network(&self, dice: &mut Dice, at: usize, focus: Option<[IpAddr; 2]>) -> Whole {
        let users = self.users(dice, at);
        let mut owners: Vec<Owner> = Vec::new();
        for user in &users {
            let login = user["loginName"].as_str().expect("a login");
            owners.push(Owner::User(login.to_owned()));
        }
        owners.extend(self.tags.iter().map(|tag| Owner::Tag((*tag).to_owned())));
        let mut devices = match self.has_devices() {
            true => list(&self.context["devices"]),
            false => self.placed(dice, (at, focus), &owners),
        };
        let there = match self.has_devices() {
            true => devices.len(),
            false => devices.len() * dice.below(2),
        };
        for owner in owners {
            if !devices.iter().any(|device| is_of(&owner, device)) {
                // Addresses that nothing names differ from network to network. Where all devices are known, they are of both families.
                let number = devices.len() + 1;
                let far = format!("fd7a:115c:a1e0:ffff:{at:x}::{number:x}");
                let mut supposed = device(devices.len(), &owner, &far, &[]);
                if self.has_devices() {
                    supposed["addresses"] = json!([far, format!("100.127.255.{number}")]);
                }
                devices.push(supposed);
            }
        }
        Whole {
            context: json!({"devices": devices, "users": users}),
            there,
        }
    }

    /// The users with their roles: nobody holds a role, all hold the same one, or each some role.
    fn users(&self, dice: &mut Dice, at: usize) -> Vec<Value> {
        let mut users = list(&self.context["users"]);
        if self.context.get("users").is_none() {
            let fresh = [
                "someone@example.com",
                "someone@other.org",
                // A user may have the name of an account.
                "root@example.com",
                "deploy@example.com",
                "other@example.com",
            ];
            let is_told = self.context.get("domains").is_some();
            let others = ["someone@nowhere.test"];
            let others = others.iter().filter(|_| !is_told);
            let logins = USERS.iter().chain(&fresh).chain(others);
            users = logins.map(|login| json!({"loginName": login})).collect();
        }
        if self.has_roles() {
            return users;
        }
        let roles = [&["member"], &self.roles[..]].concat();
        // Half of the time a role has few holders, which shows what depends on a single one.
        let is_rare = dice.one_in(2);
        for user in &mut users {
            user["role"] = json!(match roles.get(at) {
                Some(role) => role,
                None if is_rare => "member",
                None => *dice.pick(&roles),
            });
        }
        self.add_holders(dice, &mut users);
        users
    }

    /// Gives each role a holder: one of the users, or a stranger where there may be others.
    fn add_holders(&self, dice: &mut Dice, users: &mut Vec<Value>) {
        let held = |users: &[Value], role: &Value| {
            users.iter().filter(|user| user["role"] == *role).count()
        };
        for role in self.roles.iter().map(|role| json!(role)) {
            let is_held = held(users, &role) > 0;
            let is_free = |user: &Value| {
                let own = &user["role"];
                !self.roles.iter().any(|role| *own == json!(role)) || held(users, own) > 1
            };
            let free: Vec<usize> = (0..users.len()).filter(|at| is_free(&users[*at])).collect();
            if self.context.get("users").is_none() && dice.one_in(2) {
                let domain = *dice.pick(&["example.com", "other.org"]);
                let login = format!("some-{}@{domain}", role.as_str().unwrap_or_default());
                users.push(json!({"loginName": login, "role": role}));
            } else if !is_held && !free.is_empty() {
                users[*dice.pick(&free)]["role"] = role;
            }
        }
    }

    /// Devices at addresses whose owner is open: none, all of one owner, or each of some owner; and perhaps a router.
    fn placed(
        &self,
        dice: &mut Dice,
        (at, focus): (usize, Option<[IpAddr; 2]>),
        owners: &[Owner],
    ) -> Vec<Value> {
        let mut devices = Vec::new();
        if owners.is_empty() {
            return devices;
        }
        let inside = |end: &&IpAddr| holds(&tailnet(), **end);
        let inside: Vec<&IpAddr> = self.ends.iter().filter(inside).collect();
        // Some owners have one address each.
        let mut alone = vec![None; inside.len()];
        let mut free: Vec<usize> = (0..inside.len()).collect();
        let mut rest: Vec<&Owner> = owners.iter().collect();
        while !free.is_empty() && !rest.is_empty() {
            let owner = rest.swap_remove(dice.below(rest.len()));
            let place = free.swap_remove(dice.below(free.len()));
            alone[place] = Some(owner).filter(|_| !dice.one_in(6));
        }
        // Where the first networks show nothing, two ends must be in a special combination.
        let style = if at > 4 * owners.len() { 2 } else { at % 4 };
        for (end, alone) in inside.iter().zip(alone) {
            let owner = match style {
                0 if !self.all_owned => None,
                1 => owners.get(at / 4 % owners.len()),
                2 if !self.all_owned => alone,
                _ => Some(dice.pick(owners)).filter(|_| self.all_owned || !dice.one_in(4)),
            };
            let owner = match focus {
                Some([from, _]) if **end == from => owners.get(at % (owners.len() + 1)),
                Some([_, to]) if **end == to => {
                    owners.get(at / (owners.len() + 1) % (owners.len() + 1))
                }
                _ => owner,
            };
            let owner = owner.or_else(|| owners.first().filter(|_| self.all_owned));
            if let Some(owner) = owner {
                devices.push(device(devices.len(), owner, &end.to_string(), &[]));
            }
        }
        if at > 0 && dice.one_in(2) {
            let mut led = self.led(dice);
            for number in 0..2 - dice.below(3) / 2 {
                let routes: Vec<&str> = led.iter().map(String::as_str).collect();
                let far = format!("fd7a:115c:a1e0:fffe::{number}");
                let owner = match self.ways[..] {
                    [_, ..] if !dice.one_in(4) => Owner::Tag((*dice.pick(&self.ways)).to_owned()),
                    _ => dice.pick(owners).clone(),
                };
                devices.push(device(devices.len(), &owner, &far, &routes));
                match dice.one_in(2) {
                    true => led = self.led(dice),
                    false => led.retain(|route| route.ends_with("/0") || dice.one_in(2)),
                }
            }
        }
        devices
    }
}

impl Open<'_> {
    /// The routes of a router: all addresses but those of devices and of the outsider; the internet and some others; or only
    /// some. It may be an exit node, or nothing else.
    fn led(&self, dice: &mut Dice) -> Vec<String> {
        let defaults = ["0.0.0.0/0", "::/0"].map(str::to_owned);
        let style = dice.below(4);
        let mut led: Vec<String> = match style {
            0 => EVERYWHERE.map(str::to_owned).to_vec(),
            1 => internet().iter().flat_map(|span| prefixes(*span)).collect(),
            _ => Vec::new(),
        };
        let is_left = |end: &&IpAddr| !holds(&tailnet(), **end) && **end != outsider();
        for end in self.ends.iter().filter(is_left) {
            let is_led = style == 0 || style == 1 && holds(&internet(), *end);
            if style < 3 && !is_led && dice.one_in(2) {
                led.push(route_to(*end, dice));
            }
        }
        if style != 2 || dice.one_in(2) {
            led.extend(defaults);
        }
        led
    }
}

/// A route to an address, the address alone or as wide as may be: it leads to nobody who may be asked about as a device, nor to the
/// outsider.
fn route_to(end: IpAddr, dice: &mut Dice) -> String {
    let bits = if end.is_ipv4() { 32 } else { 128 };
    let is_free = |span: &Span| {
        !span.contains(outsider()) && !tailnet().iter().any(|inside| inside.overlaps(*span))
    };
    let first = if dice.one_in(2) {
        bits
    } else {
        dice.between(1, bits)
    };
    let mut routes = (first..=bits).filter_map(|length| {
        let span = Span::read(&format!("{end}/{length}")).filter(is_free)?;
        Some(format!("{}/{length}", span.first))
    });
    routes.next().expect("the address alone is free")
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn is_of(owner: &Owner, device: &Value) -> bool {
    let tags = list(&device["tags"]);
    match owner {
        Owner::User(login) => tags.is_empty() && device["user"] == json!(login),
        Owner::Tag(tag) => tags.contains(&json!(tag)),
    }
}

fn device(number: usize, owner: &Owner, address: &str, routes: &[&str]) -> Value {
    let (user, tags) = match owner {
        Owner::User(login) => (login.as_str(), json!([])),
        Owner::Tag(tag) => ("", json!([tag])),
    };
    json!({
        "id": format!("supposed{number}"), "user": user, "tags": tags, "addresses": [address],
        "advertisedRoutes": routes, "enabledRoutes": routes,
    })
}
