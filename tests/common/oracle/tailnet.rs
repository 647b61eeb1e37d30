//! Devices, users, and what selectors stand for (docs/policy-language.md#selectors).
//! Must not live here: rules.

use std::net::IpAddr;

use serde_json::Value;

use super::document::{member, texts};
use super::span::{Set, Span, everything, internet, minus, tailnet};

/// A device with what matters here.
#[derive(Clone, Debug)]
pub struct Device {
    pub id: String,
    /// The first label of its name, its host name, or its id: the first that it has.
    pub name: String,
    /// No user owns a tagged device.
    pub user: Option<String>,
    pub tags: Vec<String>,
    pub addresses: Vec<IpAddr>,
    /// Routes that are advertised and enabled, without the default routes.
    pub subnets: Vec<Span>,
    /// Whether a default route of a family is approved.
    pub exit: bool,
    /// Whether that of IPv4 is, and that of IPv6.
    pub exits: [bool; 2],
}

/// The definitions of a policy and the network around it.
pub struct Tailnet {
    pub devices: Vec<Device>,
    users: Vec<(String, String)>,
    groups: Value,
    hosts: Value,
    ipsets: Value,
}

fn device(value: &Value) -> Device {
    let (advertised, enabled) = (
        texts(value.get("advertisedRoutes")),
        texts(value.get("enabledRoutes")),
    );
    let approved: Vec<&String> = enabled
        .iter()
        .filter(|route| advertised.contains(route))
        .collect();
    let is_default = |route: &&String| route.ends_with("/0");
    let subnets = approved.iter().filter(|route| !is_default(route));
    let tags = texts(value.get("tags"));
    let user = value["user"]
        .as_str()
        .filter(|user| tags.is_empty() && !user.is_empty());
    Device {
        id: value["id"].as_str().expect("an id").to_owned(),
        name: value["name"]
            .as_str()
            .and_then(|name| name.split('.').next())
            .or(value["hostname"].as_str())
            .or(value["id"].as_str())
            .unwrap_or_default()
            .to_owned(),
        user: user.map(str::to_owned),
        addresses: texts(value.get("addresses"))
            .iter()
            .map(|text| text.parse().expect("an address"))
            .collect(),
        subnets: subnets
            .map(|route| Span::read(route).expect("a route"))
            .collect(),
        exit: approved.iter().any(is_default),
        exits: ["0.0.0.0/0", "::/0"].map(|route| approved.iter().any(|own| *own == route)),
        tags,
    }
}

impl Tailnet {
    pub fn new(policy: &Value, context: &Value) -> Tailnet {
        let list = |name: &str| context[name].as_array().into_iter().flatten();
        let user = |user: &Value| {
            let text = |name: &str| user[name].as_str().unwrap_or_default().to_owned();
            (text("loginName"), text("role"))
        };
        let table = |name: &str| member(policy, &[name]).cloned().unwrap_or_default();
        Tailnet {
            devices: list("devices").map(device).collect(),
            users: list("users").map(user).collect(),
            groups: table("groups"),
            hosts: table("hosts"),
            ipsets: table("ipsets"),
        }
    }

    /// Who has an address.
    pub fn owner(&self, address: IpAddr) -> Option<&Device> {
        self.devices
            .iter()
            .find(|device| device.addresses.contains(&address))
    }

    /// The role of a user.
    pub fn role(&self, login: &str) -> Option<&str> {
        let user = self.users.iter().find(|(own, _)| own == login);
        user.map(|(_, role)| role.as_str())
    }

    /// Every approved subnet route of any device.
    pub fn subnets(&self) -> Set {
        self.devices
            .iter()
            .flat_map(|device| device.subnets.clone())
            .collect()
    }

    /// Whether a selector covers a device by its identity; nothing for a selector that stands for addresses.
    pub fn takes_in(&self, selector: &str, device: &Device) -> Option<bool> {
        let user = device.user.as_deref();
        let kind = selector.split_once(':').map_or("", |(kind, _)| kind);
        Some(match kind {
            _ if Span::read(selector).is_some() => return None,
            "group" => user.is_some_and(|user| {
                texts(self.groups.get(selector))
                    .iter()
                    .any(|login| login == user)
            }),
            "tag" => device.tags.iter().any(|tag| tag == selector),
            "autogroup" => self.in_autogroup(&selector["autogroup:".len()..], device),
            "user" => {
                let domain = selector
                    .strip_prefix("user:*")
                    .expect("only `*` stands before a domain");
                user.is_some_and(|user| user.ends_with(domain))
            }
            _ if selector.contains('@') => user == Some(selector),
            _ => return None,
        })
    }

    fn in_autogroup(&self, name: &str, device: &Device) -> bool {
        let Some(user) = &device.user else {
            return name == "tagged" && !device.tags.is_empty();
        };
        match name {
            "member" | "members" => true,
            // The owner is an admin too.
            role => self.users.iter().any(|(login, own)| {
                login == user && (own == role || own == "owner" && role == "admin")
            }),
        }
    }

    /// The addresses of a selector that is not an identity: an address, prefix, range, alias or ipset.
    pub fn set(&self, selector: &str) -> Set {
        if selector.starts_with("ipset:") {
            return self.ipset(selector);
        }
        let alias = || {
            self.hosts
                .get(selector)
                .and_then(Value::as_str)
                .and_then(Span::read)
        };
        Span::read(selector).or_else(alias).into_iter().collect()
    }

    /// docs/policy-language.md#ip-sets: operations in order.
    fn ipset(&self, name: &str) -> Set {
        let mut set = Set::new();
        for operation in texts(self.ipsets.get(name)) {
            let (removes, what) = match operation.split_once(' ') {
                Some((word, what)) => (word == "remove", what.trim()),
                None => (false, operation.as_str()),
            };
            let what = match what {
                "autogroup:internet" => internet(),
                _ => self.set(what.strip_prefix("host:").unwrap_or(what)),
            };
            match removes {
                true => set = what.into_iter().fold(set, minus),
                false => set.extend(what),
            }
        }
        set
    }

    /// docs/policy-language.md#sources: what `src` stands for.
    pub fn sources(&self, selectors: &[String]) -> Set {
        let mut set = Set::new();
        for selector in selectors {
            match selector.as_str() {
                "*" => set.extend(tailnet().into_iter().chain(self.subnets())),
                "autogroup:danger-all" => set.extend(everything()),
                _ => {
                    set.extend(self.set(selector));
                    for device in &self.devices {
                        if self.takes_in(selector, device) == Some(true) {
                            set.extend(device.addresses.iter().copied().map(Span::one));
                        }
                    }
                }
            }
        }
        set
    }

    /// The addresses of a name that is the source or destination of a question; nothing for a wider set. An alias comes before
    /// a device of the same name.
    pub fn addresses(&self, name: &str) -> Option<Vec<IpAddr>> {
        let set = self.set(name);
        let is_named = |device: &&Device| match self.takes_in(name, device) {
            Some(takes_in) => takes_in,
            None => set.is_empty() && device.name == name,
        };
        let named = self.devices.iter().filter(is_named);
        let mut addresses: Vec<IpAddr> =
            named.flat_map(|device| device.addresses.clone()).collect();
        for span in set {
            if span.first != span.last {
                return None;
            }
            addresses.push(span.first);
        }
        Some(addresses)
    }
}
