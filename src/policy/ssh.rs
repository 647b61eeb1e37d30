//! The ssh rules of each device, in the order of evaluation (docs/policy-language.md#ssh-rules).
//! Must not live here: `sshTests`, packet filters.

use std::rc::Rc;

use serde::{Serialize, Serializer};

use super::language::dialect::Dialect;
use super::language::document::{Policy, SshRule, Word};
use super::language::login::{Account, SshAction, parts_of_login};
use super::language::selector::Selector;
use super::packed::Pairs;
use super::tailnet::classes::{Distinct, PartyClasses};
use super::tailnet::context::{DeviceIndex, Owner, PolicyContext};
use super::tailnet::identity::Answer;
use super::tailnet::net::Net;
use super::tailnet::network::{Network, sorted};
use super::tailnet::receivers::without_own;
use crate::tables::index::{Index, Runs};
use crate::tables::shared::Shared;
use crate::tables::sort;

/// One ssh rule of a device. Rules are tried in order; the first match decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceSshRule {
    /// The addresses that may log in; sorted, without repeats.
    pub from: Rc<[Net]>,
    /// The local account for a requested login name: `=` the same name, empty never; the key `*` any other name.
    pub users: Rc<[(String, String)]>,
    /// What the rule does.
    pub action: SshAction,
    /// Patterns of environment variables that are passed on.
    pub accept_env: Rc<[String]>,
}

/// The rules of every device. Devices that receive the same share one list, and lists share their parts.
#[derive(Clone, Debug)]
pub struct DeviceSshRules<'t> {
    context: &'t PolicyContext,
    /// Rules that go to the same devices are adjacent.
    rules: Vec<DeviceSshRule>,
    /// Where the rules of each part start and end.
    parts: Vec<(usize, usize)>,
    /// The parts of each list, in order.
    lists: Vec<Vec<usize>>,
    /// The list of each device, devices in the context's order.
    of_device: Vec<usize>,
}

impl DeviceSshRules<'_> {
    /// How many devices there are.
    pub fn len(&self) -> usize {
        self.of_device.len()
    }

    /// Whether there are no devices.
    pub fn is_empty(&self) -> bool {
        self.of_device.is_empty()
    }

    /// The rules of a device of the context.
    pub fn of(&self, device: DeviceIndex) -> impl Iterator<Item = &DeviceSshRule> {
        let list = device.of(&self.of_device);
        let parts = list.and_then(|&list| self.lists.get(list));
        let parts = parts.into_iter().flatten();
        let rules = parts.filter_map(|&part| {
            let (start, end) = *self.parts.get(part)?;
            self.rules.get(start..end)
        });
        rules.flatten()
    }

    /// The same without repetitions: lists of sources, of users and of variables; rules, which hold their indices;
    /// parts, with the start and end of their rules; lists, with their parts; and by device id, the list.
    fn packed(&self) -> impl Serialize {
        let (mut sources, mut users, mut env) = <(Shared<_>, Shared<_>, Shared<_>)>::default();
        let mut rules = Vec::with_capacity(self.rules.len());
        for rule in &self.rules {
            let has_env = !rule.accept_env.is_empty();
            rules.push(PackedSshRule {
                from: sources.place(&rule.from),
                users: users.place(&rule.users),
                action: rule.action,
                accept_env: has_env.then(|| env.place(&rule.accept_env)),
            });
        }
        PackedSshRules {
            sources,
            users,
            env,
            rules,
            parts: &self.parts,
            lists: &self.lists,
            devices: Pairs(self.ids().zip(&self.of_device).collect()),
        }
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        let devices = self.context.devices.iter().flatten();
        devices.map(|device| device.id.as_str())
    }
}

/// In full, as in the declarations: lists of rules by device id.
impl Serialize for DeviceSshRules<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rules = |(device, id)| (id, self.of(DeviceIndex(device)).collect::<Vec<_>>());
        serializer.collect_map(self.ids().enumerate().map(rules))
    }
}

/// As in the declarations.
impl Serialize for DeviceSshRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct FullSshRule<'r> {
            from: &'r [Net],
            users: Pairs<&'r String, &'r String>,
            action: SshAction,
            #[serde(skip_serializing_if = "<[String]>::is_empty")]
            accept_env: &'r [String],
        }
        let full = FullSshRule {
            from: &self.from,
            users: as_object(&self.users),
            action: self.action,
            accept_env: &self.accept_env,
        };
        full.serialize(serializer)
    }
}

fn as_object(users: &[(String, String)]) -> Pairs<&String, &String> {
    Pairs(users.iter().map(|(asked, local)| (asked, local)).collect())
}

/// The rules of SSH as `DeviceSshRules::packed` writes them.
#[cfg_attr(not(feature = "bindings"), allow(dead_code))]
pub fn packed_ssh_rules(rules: &DeviceSshRules) -> impl Serialize {
    rules.packed()
}

#[derive(Serialize)]
struct PackedSshRules<'r> {
    sources: Shared<Net>,
    #[serde(serialize_with = "as_objects")]
    users: Shared<(String, String)>,
    env: Shared<String>,
    rules: Vec<PackedSshRule>,
    parts: &'r [(usize, usize)],
    lists: &'r [Vec<usize>],
    devices: Pairs<&'r str, &'r usize>,
}

fn as_objects<S: Serializer>(
    users: &Shared<(String, String)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(users.lists.iter().map(|users| as_object(users)))
}

/// A rule with indices in place of lists.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PackedSshRule {
    from: usize,
    users: usize,
    action: SshAction,
    #[serde(skip_serializing_if = "Option::is_none")]
    accept_env: Option<usize>,
}

impl Policy<'_> {
    /// The ssh rules of every device of the context.
    ///
    /// Rules by name differ for each source, so that a thousand sources and a thousand destinations make a million pairs.
    /// But each destination receives the same: what one rule of the document gives is written once, as a part.
    #[inline(never)]
    pub fn ssh_rules<'t>(&self, context: &'t PolicyContext) -> DeviceSshRules<'t> {
        let network = Network::new(self, context);
        let mut writing = Writing::new(&network);
        for wanted in [SshAction::Check, SshAction::Accept] {
            for rule in &self.ssh {
                let action = rule.action.and_then(|word| SshAction::parse(word.text));
                if action == Some(wanted) {
                    writing.add(rule, wanted, self.postures_of(rule.postures.as_deref()));
                }
            }
        }
        let classes = PartyClasses::of(writing.received);
        DeviceSshRules {
            context,
            rules: writing.rules,
            parts: writing.parts,
            lists: classes.marks,
            of_device: classes.of_device,
        }
    }
}

/// Sources that log in under the same names: the devices of a user, or one tagged device.
struct Caller<'p> {
    login: Option<&'p str>,
    devices: Vec<DeviceIndex>,
    from: Rc<[Net]>,
}

/// All sources of a rule.
struct Callers<'p> {
    each: Vec<Caller<'p>>,
    from: Rc<[Net]>,
}

/// The rules under construction.
struct Writing<'n, 'p> {
    network: &'n Network<'p>,
    rules: Vec<DeviceSshRule>,
    parts: Vec<(usize, usize)>,
    /// The parts that each device receives, ascending.
    received: Vec<Vec<usize>>,
    /// The callers of each list of sources, found once.
    callers: Vec<Rc<Callers<'p>>>,
    by_sources: Runs,
    selectors: Distinct<'p>,
}

impl<'n, 'p> Writing<'n, 'p> {
    fn new(network: &'n Network<'p>) -> Writing<'n, 'p> {
        let mut received = Vec::new();
        received.resize(network.devices.len(), Vec::new());
        Writing {
            network,
            rules: Vec::new(),
            parts: Vec::new(),
            received,
            callers: Vec::new(),
            by_sources: Runs::default(),
            selectors: Distinct::default(),
        }
    }

    fn add(&mut self, rule: &'p SshRule<'p>, action: SshAction, postures: &[Word<'_>]) {
        let callers = match postures {
            [] => self.callers_of(&rule.sources),
            _ => self.callers_with(&rule.sources, postures),
        };
        let accounts = RuleAccounts::new(rule, action);
        let by_name = !accounts.domains.is_empty();
        let (others, own) = without_own(&rule.destinations);
        let to = self.network.all_devices_of(&others);
        let dialect = self.network.policy.dialect;
        let leads = !to.is_empty()
            || by_name && !others.is_empty() && dialect.returns_own_names_from_nowhere();
        let start = self.rules.len();
        let mut of_caller = Vec::new();
        for caller in &callers.each {
            let start = self.rules.len();
            if by_name && leads || own && caller.login.is_some() {
                self.write(&accounts, caller, dialect);
            }
            of_caller.push((start, self.rules.len()));
        }
        for (caller, &part) in callers.each.iter().zip(&of_caller) {
            if own && caller.login.is_some() {
                self.send(&self.own_devices(caller), part);
            }
        }
        if !leads || callers.each.is_empty() {
            return;
        }
        if !by_name {
            let start = self.rules.len();
            self.rules.push(accounts.general_rule(&callers.from));
            return self.send(&to, (start, start + 1));
        }
        self.send(&to, (start, self.rules.len()));
        // Each source receives its own pair too, unless it does as a destination.
        for (caller, &part) in callers.each.iter().zip(&of_caller) {
            if !(own && caller.login.is_some()) {
                let mut devices = self.own_devices(caller);
                devices.retain(|device| to.binary_search(device).is_err());
                self.send(&devices, part);
            }
        }
    }

    /// Writes the rules for one caller.
    fn write(&mut self, accounts: &RuleAccounts<'_>, caller: &Caller<'p>, dialect: Dialect) {
        self.rules.push(accounts.general_rule(&caller.from));
        let mail = caller.login.and_then(|login| self.network.mail(login));
        if let Some(name) = mail.and_then(|mail| accounts.own_name(mail, dialect)) {
            let users = Rc::new([(name.to_owned(), name.to_owned())]);
            self.rules.push(accounts.rule(&caller.from, users));
        }
    }

    #[inline(never)]
    fn send(&mut self, to: &[DeviceIndex], part: (usize, usize)) {
        for &device in to {
            if let Some(received) = device.of_mut(&mut self.received) {
                received.push(self.parts.len());
            }
        }
        self.parts.push(part);
    }

    fn callers_of(&mut self, sources: &'p [Selector<'p>]) -> Rc<Callers<'p>> {
        let mut places = Vec::with_capacity(sources.len());
        for source in sources {
            places.push(self.selectors.place(source));
        }
        sort::sort(&mut places);
        places.dedup();
        let at = self.by_sources.place_of(&places);
        if let Some(known) = self.callers.get(at) {
            return known.clone();
        }
        let mut devices = self.network.all_devices_of(sources);
        devices.retain(|device| !self.is_unowned(*device));
        let callers = self.callers(&devices);
        self.callers.push(callers.clone());
        callers
    }

    /// Whether a device is that of a member whom nobody knows: nobody logs in from it.
    fn is_unowned(&self, device: DeviceIndex) -> bool {
        let device = device.of(self.network.devices);
        device.is_some_and(|device| device.owner == Owner::Unowned)
    }

    /// Those whose devices certainly have one of the postures.
    fn callers_with(&self, sources: &[Selector<'_>], postures: &[Word<'_>]) -> Rc<Callers<'p>> {
        let mut devices = self.network.all_devices_of(sources);
        devices
            .retain(|device| self.network.attributes.has_posture(*device, postures) == Answer::Yes);
        self.callers(&devices)
    }

    /// Users in the order of their first device, then tagged devices one by one.
    fn callers(&self, devices: &[DeviceIndex]) -> Rc<Callers<'p>> {
        let mut by_login = Index::default();
        let mut users: Vec<(&'p str, Vec<DeviceIndex>)> = Vec::new();
        let mut tagged = Vec::new();
        for &device in devices {
            let Some(login) = device.of(self.network.devices).and_then(|d| d.user()) else {
                tagged.push(device);
                continue;
            };
            let at = by_login.place(login, users.len());
            match users.get_mut(at) {
                Some((_, devices)) => devices.push(device),
                None => users.push((login, vec![device])),
            }
        }
        let mut each = Vec::with_capacity(users.len() + tagged.len());
        for (login, devices) in users {
            each.push(self.caller(Some(login), devices));
        }
        for device in tagged {
            each.push(self.caller(None, vec![device]));
        }
        let from = self.addresses(devices);
        Rc::new(Callers { each, from })
    }

    fn caller(&self, login: Option<&'p str>, devices: Vec<DeviceIndex>) -> Caller<'p> {
        let from = self.addresses(&devices);
        Caller {
            login,
            devices,
            from,
        }
    }

    #[inline(never)]
    fn addresses(&self, devices: &[DeviceIndex]) -> Rc<[Net]> {
        sorted(self.network.own_nets(devices)).into()
    }

    /// The devices of a user, selected or not; or a single tagged device.
    fn own_devices(&self, caller: &Caller<'p>) -> Vec<DeviceIndex> {
        match caller.login {
            Some(login) => self.network.of_user(login).to_vec(),
            None => caller.devices.clone(),
        }
    }
}

/// The accounts that a rule opens.
struct RuleAccounts<'r> {
    /// For every source alike.
    general: Rc<[(String, String)]>,
    /// Members of these domains may use their own name.
    domains: Vec<&'r str>,
    action: SshAction,
    accept_env: Rc<[String]>,
}

impl<'r> RuleAccounts<'r> {
    fn new(rule: &'r SshRule<'_>, action: SshAction) -> RuleAccounts<'r> {
        // Root is blocked in so many words unless it is listed.
        let mut general = vec![("root".to_owned(), String::new())];
        let mut by_name = Index::default();
        by_name.set("root".into(), 0);
        let mut domains = Vec::new();
        for user in &rule.users {
            let (asked, local) = match Account::parse(user.text) {
                Some(Account::NonRoot) => ("*", "="),
                Some(Account::Named(name)) => (name, name),
                Some(Account::OwnName(domain)) => {
                    domains.push(domain);
                    continue;
                }
                None => continue,
            };
            let at = by_name.place(asked, general.len());
            match general.get_mut(at) {
                Some((_, known)) => local.clone_into(known),
                None => general.push((asked.to_owned(), local.to_owned())),
            }
        }
        let mut accept_env = Vec::with_capacity(rule.accept_env.len());
        for name in &rule.accept_env {
            accept_env.push(name.text.to_owned());
        }
        RuleAccounts {
            general: general.into(),
            domains,
            action,
            accept_env: accept_env.into(),
        }
    }

    /// The name under which a user of one of the domains may log in.
    fn own_name<'a>(&self, mail: &'a str, dialect: Dialect) -> Option<&'a str> {
        let (name, domain) = parts_of_login(mail)?;
        let mut domains = self.domains.iter();
        let is_own = domains.any(|named| dialect.is_domain(domain, named));
        is_own.then_some(name)
    }

    fn general_rule(&self, from: &Rc<[Net]>) -> DeviceSshRule {
        self.rule(from, self.general.clone())
    }

    fn rule(&self, from: &Rc<[Net]>, users: Rc<[(String, String)]>) -> DeviceSshRule {
        DeviceSshRule {
            from: from.clone(),
            users,
            action: self.action,
            accept_env: self.accept_env.clone(),
        }
    }
}
