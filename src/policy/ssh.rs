//! The ssh rules of each device, in the order in which it asks them (policy-language.md 5).
//! Must not live here: `sshTests`, packet filters.

use serde::{Serialize, Serializer};

use super::language::document::{Policy, SshRule as Rule};
use super::tailnet::devices::{DeviceIndex, Network, sorted, without_own};
use super::tailnet::net::Net;
use super::tailnet::topology::Topology;

/// One ssh rule of a device. Rules are asked in order; the first that fits decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SshRule {
    /// The addresses from which one may log in; sorted, without repeats.
    pub from: Vec<Net>,
    /// The local account for a login name asked for: `=` the same name, empty never; the key `*` any other name.
    #[serde(serialize_with = "as_object")]
    pub users: Vec<(String, String)>,
    /// What happens.
    pub action: SshAction,
    /// Environment variables that may be handed over, as patterns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accept_env: Vec<String>,
}

fn as_object<S: Serializer>(users: &[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(users.iter().map(|(asked, local)| (asked, local)))
}

/// What an ssh rule does. Checks are asked before all others, hence the order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SshAction {
    /// Lets in after the user has proven who they are once more.
    Check,
    /// Lets in.
    Accept,
}

impl Policy<'_> {
    /// The ssh rules of every device of the topology, in the topology's order.
    pub fn ssh_rules(&self, topology: &Topology) -> Vec<Vec<SshRule>> {
        let network = Network::new(self, topology);
        let mut rules = Rules {
            network: &network,
            devices: Vec::new(),
        };
        rules.devices.resize(network.devices.len(), Vec::new());
        for wanted in [SshAction::Check, SshAction::Accept] {
            for rule in &self.ssh {
                let action = rule.action.as_ref().and_then(|word| action(word.text));
                if action == Some(wanted)
                    && self.posture_holds(self.postures_of(rule.postures.as_deref()), None)
                {
                    rules.add(rule, wanted);
                }
            }
        }
        rules.devices
    }
}

fn action(text: &str) -> Option<SshAction> {
    match text {
        "accept" => Some(SshAction::Accept),
        "check" => Some(SshAction::Check),
        _ => None,
    }
}

/// Sources that log in under the same names: the devices of a user, or one tagged device.
struct Party<'p> {
    login: Option<&'p str>,
    devices: Vec<DeviceIndex>,
}

/// The rules in the making.
struct Rules<'n, 'p> {
    network: &'n Network<'p>,
    devices: Vec<Vec<SshRule>>,
}

impl<'p> Rules<'_, 'p> {
    fn add(&mut self, rule: &Rule<'p>, action: SshAction) {
        let from = self.network.all_devices_of(&rule.sources);
        let parties = self.parties(&from);
        let accounts = Accounts::new(rule, action);
        let (others, own) = without_own(&rule.destinations);
        for party in &parties {
            if own && party.login.is_some() {
                let devices = self.own_devices(party);
                self.tell(&devices, &accounts, std::slice::from_ref(party));
            }
        }
        let to = self.network.all_devices_of(&others);
        self.tell(&to, &accounts, &parties);
        if accounts.by_name.is_empty() || to.is_empty() {
            return;
        }
        // The service tells each source of its own pair too, unless it was told as a destination.
        for party in &parties {
            if own && party.login.is_some() {
                continue;
            }
            let mut devices = self.own_devices(party);
            devices.retain(|device| to.binary_search(device).is_err());
            self.tell(&devices, &accounts, std::slice::from_ref(party));
        }
    }

    /// Users in the order of their first device, then tagged devices one by one.
    fn parties(&self, devices: &[DeviceIndex]) -> Vec<Party<'p>> {
        let mut parties: Vec<Party<'p>> = Vec::new();
        let mut tagged = Vec::new();
        for &device in devices {
            let login = self.network.devices.get(device).and_then(|d| d.user());
            let known = parties
                .iter_mut()
                .find(|p| login.is_some() && p.login == login);
            match known {
                Some(party) => party.devices.push(device),
                None if login.is_none() => tagged.push(Party {
                    login,
                    devices: vec![device],
                }),
                None => parties.push(Party {
                    login,
                    devices: vec![device],
                }),
            }
        }
        parties.append(&mut tagged);
        parties
    }

    fn own_devices(&self, party: &Party<'p>) -> Vec<DeviceIndex> {
        match party.login {
            Some(login) => self.network.of_user(login).to_vec(),
            None => party.devices.clone(),
        }
    }

    #[inline(never)]
    fn tell(&mut self, to: &[DeviceIndex], accounts: &Accounts<'_>, parties: &[Party<'p>]) {
        let rules = accounts.rules(self.network, parties);
        for &device in to {
            if let Some(told) = self.devices.get_mut(device) {
                told.extend_from_slice(&rules);
            }
        }
    }
}

/// The accounts that a rule opens.
struct Accounts<'r> {
    /// For every source alike.
    general: Vec<(String, String)>,
    /// Domains of `localpart:*@domain`: members of them may use their own name.
    by_name: Vec<&'r str>,
    action: SshAction,
    accept_env: Vec<String>,
}

impl<'r> Accounts<'r> {
    fn new(rule: &'r Rule<'_>, action: SshAction) -> Accounts<'r> {
        let mut accounts = Accounts {
            // Root is blocked in so many words unless it is listed.
            general: vec![("root".to_owned(), String::new())],
            by_name: Vec::new(),
            action,
            accept_env: Vec::new(),
        };
        for name in &rule.accept_env {
            accounts.accept_env.push(name.text.to_string());
        }
        for user in &rule.users {
            let name = user.name();
            if let Some(domain) = name.strip_prefix("localpart:*@") {
                accounts.by_name.push(domain);
                continue;
            }
            let (asked, local) = match name {
                "autogroup:nonroot" => ("*", "="),
                literal => (literal, literal),
            };
            let known = accounts.general.iter_mut();
            match known.into_iter().find(|(known, _)| known == asked) {
                Some((_, known)) => local.clone_into(known),
                None => accounts.general.push((asked.to_owned(), local.to_owned())),
            }
        }
        accounts
    }

    fn rules(&self, network: &Network<'_>, parties: &[Party<'_>]) -> Vec<SshRule> {
        let mut rules = Vec::new();
        if parties.is_empty() {
            return rules;
        }
        if self.by_name.is_empty() {
            rules.push(self.rule(addresses(network, parties), self.general.clone()));
            return rules;
        }
        for party in parties {
            let from = addresses(network, std::slice::from_ref(party));
            rules.push(self.rule(from.clone(), self.general.clone()));
            if let Some(name) = self.own_name(party) {
                let users = vec![(name.to_owned(), name.to_owned())];
                rules.push(self.rule(from, users));
            }
        }
        rules
    }

    /// The name under which a user of one of the domains may log in.
    fn own_name<'a>(&self, party: &Party<'a>) -> Option<&'a str> {
        let (name, domain) = party.login?.rsplit_once('@')?;
        self.by_name.contains(&domain).then_some(name)
    }

    fn rule(&self, from: Vec<Net>, users: Vec<(String, String)>) -> SshRule {
        SshRule {
            from,
            users,
            action: self.action,
            accept_env: self.accept_env.clone(),
        }
    }
}

/// The addresses of all devices of some parties.
fn addresses(network: &Network<'_>, parties: &[Party<'_>]) -> Vec<Net> {
    let mut nets = Vec::new();
    for party in parties {
        nets.append(&mut network.own_nets(&party.devices));
    }
    sorted(nets)
}
