//! From where the ssh rules let in an account at a node: from the devices of their sources, each by itself.
//! Must not live here: the rules as a node receives them (`ssh`), what a test demands.

use crate::cidr::AddressSet;
use crate::policy::language::document::SshRule;
use crate::policy::language::login::{Account, SshAction, parts_of_login};
use crate::policy::language::selector::{Autogroup, Kind};
use crate::policy::tailnet::addresses::set_of;
use crate::policy::tailnet::context::{Device, DeviceIndex, Owner};
use crate::policy::tailnet::network::Network;

use super::sets::add_addresses;

/// An ssh rule in a network. The rules as nodes receive them are written for many nodes at once, which is 3 KiB (Brotli) more.
pub struct LoginRule<'p> {
    rule: &'p SshRule<'p>,
    action: SshAction,
    from: Vec<DeviceIndex>,
    to: Vec<DeviceIndex>,
    /// Whether it leads users to their own devices, as `autogroup:self` does.
    to_own: bool,
    /// Whether it comes back to the devices that it leads from, as one for own names does that leads to others.
    to_itself: bool,
}

/// The rules of the policy of a network.
pub fn login_rules<'p>(network: &Network<'p>) -> Vec<LoginRule<'p>> {
    let mut rules = Vec::new();
    for rule in &network.policy.ssh {
        let action = rule.action.and_then(|word| SshAction::parse(word.text));
        let Some(action) = action else { continue };
        let is_unowned = |at: DeviceIndex| {
            let device = at.of(network.devices);
            device.is_some_and(|device| device.owner == Owner::Unowned)
        };
        let mut from = network.all_devices_of(&rule.sources);
        from.retain(|device| !is_unowned(*device));
        let (mut to, mut to_own, mut to_others) = (Vec::new(), false, false);
        for end in &rule.destinations {
            if end.kind == Kind::Autogroup(Autogroup::Own) {
                to_own = true;
            } else {
                to_others = true;
                to.append(&mut network.devices_of(end));
            }
        }
        let is_own_name = |account| matches!(account, Some(Account::OwnName(_)));
        let mut accounts = rule.users.iter().map(|user| Account::parse(user.text));
        let to_itself = to_others && accounts.any(is_own_name);
        rules.push(LoginRule {
            rule,
            action,
            from,
            to,
            to_own,
            to_itself,
        });
    }
    rules
}

/// From where rules let in an account at a node: all of them, or those of one action.
pub fn admitted(
    network: &Network<'_>,
    rules: &[LoginRule<'_>],
    (node, account): (DeviceIndex, &str),
    action: Option<SshAction>,
) -> AddressSet {
    let mut ranges = Vec::new();
    for rule in rules {
        if action.is_some_and(|action| rule.action != action) {
            continue;
        }
        let is_end = rule.to.contains(&node);
        for &source in &rule.from {
            let is_led = is_end || rule.leads_back(network, source, node);
            if is_led && rule.opens(network, source, account) {
                add_addresses(network, source, &mut ranges);
            }
        }
    }
    set_of(ranges)
}

fn user<'n>(network: &'n Network<'_>, device: DeviceIndex) -> Option<&'n str> {
    device.of(network.devices).and_then(Device::user)
}

impl LoginRule<'_> {
    /// Whether it leads from a device to this one for being its own: of the same user, or itself.
    fn leads_back(&self, network: &Network<'_>, source: DeviceIndex, node: DeviceIndex) -> bool {
        match user(network, source) {
            Some(login) => {
                (self.to_own || self.to_itself) && user(network, node) == Some(network.login(login))
            }
            None => self.to_itself && source == node,
        }
    }

    /// Whether it opens an account to whoever comes from a device.
    fn opens(&self, network: &Network<'_>, source: DeviceIndex, account: &str) -> bool {
        let is_own = |domain: &str| {
            let mail = user(network, source).and_then(|login| network.mail(login));
            mail.and_then(parts_of_login).is_some_and(|(name, own)| {
                name == account && network.policy.dialect.is_domain(own, domain)
            })
        };
        let mut users = self.rule.users.iter();
        let is_named = users.any(|user| match Account::parse(user.text) {
            Some(Account::NonRoot) => account != "root",
            Some(Account::Named(name)) => name == account,
            Some(Account::OwnName(domain)) => is_own(domain),
            None => false,
        });
        is_named && !account.is_empty()
    }
}
