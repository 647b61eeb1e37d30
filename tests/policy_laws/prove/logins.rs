//! Who logs in where as whom, from docs/policy-language.md#ssh-rules alone. Must not live here: claims.

use serde_json::Value;

use crate::oracle::Oracle;
use crate::oracle::document::{member, texts};
use crate::oracle::posture::meets;
use crate::oracle::tailnet::Device;

struct Rule {
    src: Vec<String>,
    dst: Vec<String>,
    users: Vec<String>,
    postures: Vec<String>,
}

/// The ssh rules of a policy in a network.
pub struct Logins<'o> {
    oracle: &'o Oracle,
    rules: Vec<Rule>,
    /// For each rule, whether it leads to a listed device by another selector than one of its owner.
    leads: Vec<bool>,
}

/// The ssh rules of a policy with the postures that each requires.
fn rules(policy: &Value) -> Vec<Rule> {
    let list = member(policy, &["ssh"]).and_then(Value::as_array);
    let default = texts(member(policy, &["defaultSrcPosture"]));
    let rule = |rule: &Value| {
        let own = texts(member(rule, &["srcPosture"]));
        Rule {
            src: texts(member(rule, &["src"])),
            dst: texts(member(rule, &["dst"])),
            users: texts(member(rule, &["users"])),
            postures: if own.is_empty() { default.clone() } else { own },
        }
    };
    list.into_iter().flatten().map(rule).collect()
}

/// The postures that ssh rules require.
pub fn postures(policy: &Value) -> Vec<String> {
    rules(policy)
        .into_iter()
        .flat_map(|rule| rule.postures)
        .collect()
}

fn own_domain(user: &str) -> Option<&str> {
    let domain = user.strip_prefix("localpart:*@");
    domain.filter(|domain| !domain.is_empty())
}

impl<'o> Logins<'o> {
    /// `there` is how many devices, from the first, are real and not only assumed.
    pub fn new(oracle: &'o Oracle, policy: &Value, there: usize) -> Logins<'o> {
        let rules = rules(policy);
        let leads = |rule: &Rule| {
            let mut devices = oracle.tailnet.devices.iter().take(there);
            devices.any(|device| takes_in(oracle, &rule.dst, device))
        };
        Logins {
            oracle,
            leads: rules.iter().map(leads).collect(),
            rules,
        }
    }

    /// Whether a login is allowed. A device also stands for another one of its kind, so it may be both ends.
    pub fn lets_in(
        &self,
        (from, to): (&Device, &Device),
        account: &str,
        attributes: Option<&Value>,
    ) -> bool {
        let shares_user = from.user.is_some() && from.user == to.user;
        let lets = |(rule, leads): (&Rule, &bool)| {
            let by_name = rule.users.iter().any(|user| own_domain(user).is_some());
            // Rules by name are also received by each source itself, if any other device receives them.
            let own = shares_user
                && (rule.dst.iter().any(|to| to == "autogroup:self") || by_name && *leads);
            self.matches(rule, attributes)
                && takes_in(self.oracle, &rule.src, from)
                && (own || takes_in(self.oracle, &rule.dst, to))
                && rule.users.iter().any(|user| opens(user, from, account))
        };
        self.rules.iter().zip(&self.leads).any(lets)
    }

    fn matches(&self, rule: &Rule, attributes: Option<&Value>) -> bool {
        let met = |name: &String| {
            let conditions = texts(self.oracle.postures.get(name));
            attributes.is_some_and(|attributes| meets(&conditions, attributes))
        };
        rule.postures.is_empty() || rule.postures.iter().any(met)
    }
}

fn takes_in(oracle: &Oracle, selectors: &[String], device: &Device) -> bool {
    let mut others = selectors.iter().filter(|name| *name != "autogroup:self");
    others.any(|name| oracle.tailnet.takes_in(name, device) == Some(true))
}

fn opens(user: &str, from: &Device, account: &str) -> bool {
    match own_domain(user) {
        Some(domain) => from.user.as_deref() == Some(format!("{account}@{domain}").as_str()),
        None if user == "autogroup:nonroot" => account != "root",
        None => user == account,
    }
}

/// The accounts of a claim; where it names none, those that rules tell apart and one that no rule names.
pub fn accounts(users: &[String], from: &Device) -> Vec<String> {
    let own = from.user.as_deref().and_then(|login| login.split_once('@'));
    let mut accounts = Vec::new();
    for user in users {
        match (user.as_str(), own_domain(user), own) {
            ("autogroup:nonroot", ..) => {
                accounts.extend(["deploy", "nobody"].map(str::to_owned));
                let own = own.filter(|(name, _)| *name != "root");
                accounts.extend(own.map(|(name, _)| name.to_owned()));
            }
            (_, Some(domain), own) => {
                let own = own.filter(|(_, own)| *own == domain);
                accounts.extend(own.map(|(name, _)| name.to_owned()));
            }
            (name, ..) => accounts.push(name.to_owned()),
        }
    }
    accounts
}
