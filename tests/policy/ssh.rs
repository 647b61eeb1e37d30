//! The law of ssh rules: `check` accepts a rule exactly if a model of docs/policy-language.md#ssh-rules does, and by the rules of
//! `ssh` users log in as in that model. Must not live here: single rules and messages (`check`).

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{DeviceIndex, DeviceSshRules, Policy, PolicyContext};

const ANN: &str = "ann@example.com";
const BOB: &str = "bob@other.org";
const DOMAIN: &str = "example.com";

/// A device of the model: its owner.
struct Machine {
    user: Option<&'static str>,
    tags: &'static [&'static str],
}

const MACHINES: [Machine; 6] = [
    Machine {
        user: Some(ANN),
        tags: &[],
    },
    Machine {
        user: Some(ANN),
        tags: &[],
    },
    Machine {
        user: Some(BOB),
        tags: &[],
    },
    Machine {
        user: None,
        tags: &["tag:a"],
    },
    Machine {
        user: None,
        tags: &["tag:a", "tag:b"],
    },
    Machine {
        user: None,
        tags: &["tag:b"],
    },
];

const ACCOUNTS: [&str; 8] = [
    "root",
    "ann",
    "bob",
    "deploy",
    "localpart:*@",
    "localpart:ann@example.com",
    "autogroup:member",
    "*",
];

/// One ssh rule of the model; texts as in the document.
#[derive(Clone, Debug)]
struct Rule {
    action: Option<&'static str>,
    src: Vec<&'static str>,
    dst: Vec<&'static str>,
    users: Vec<&'static str>,
    period: Option<&'static str>,
    env: Vec<&'static str>,
}

impl Rule {
    fn json(&self) -> Value {
        let mut rule =
            json!({"src": self.src, "dst": self.dst, "users": self.users, "acceptEnv": self.env});
        if let Some(action) = self.action {
            rule["action"] = json!(action);
        }
        if let Some(period) = self.period {
            rule["checkPeriod"] = json!(period);
        }
        rule
    }

    fn action(&self) -> &'static str {
        self.action.unwrap_or_default().trim()
    }

    /// Whether the service accepts the rule (docs/policy-language.md#ssh-rules).
    fn is_accepted(&self) -> bool {
        let tagged = |source: &&str| source.starts_with("tag:") || *source == "autogroup:tagged";
        let has_tags = self.src.iter().any(tagged);
        let source =
            |source: &&str| !matches!(*source, "*" | "box" | "100.64.0.1" | "user:*@other.org");
        let destination = |to: &&str| match *to {
            "tag:a" | "tag:b" | "autogroup:tagged" => true,
            "autogroup:self" | "autogroup:member" => !has_tags,
            user if user.contains('@') => self.src.iter().all(|source| *source == user),
            _ => false,
        };
        let user = |user: &&str| match user.trim() {
            "" | "*" => false,
            user => user
                .strip_prefix("localpart:*@")
                .is_none_or(|domain| domain.is_empty() || domain == DOMAIN),
        };
        matches!(self.action(), "accept" | "check")
            && !(self.action() == "check" && has_tags)
            && self.src.iter().all(source)
            && self.dst.iter().all(destination)
            && !self.users.is_empty()
            && self.users.iter().all(user)
            && !matches!(self.period, Some("-1s" | "169h" | "soon" | ""))
            && self.env.iter().all(|name| !name.is_empty())
    }

    /// Whether the rule lets somebody in from one machine to another as an account.
    fn lets_in(&self, from: usize, to: usize, account: &str) -> bool {
        let selected = self.src.iter().any(|source| selects(source, from));
        let same_user = MACHINES[from].user.is_some() && MACHINES[from].user == MACHINES[to].user;
        let reached = |to: usize| self.dst.iter().any(|selector| selects(selector, to));
        let by_name = self.users.iter().any(|user| own_domain(user).is_some());
        // Rules by name are also received by each source itself, if any other device receives them.
        let is_told = reached(to)
            || self.dst.contains(&"autogroup:self") && same_user
            || by_name && (0..MACHINES.len()).any(reached) && (same_user || from == to);
        selected && is_told && self.users.iter().any(|user| opens(user, from, account))
    }
}

/// The domain whose users may log in under their own name.
fn own_domain(user: &str) -> Option<&str> {
    user.trim()
        .strip_prefix("localpart:*@")
        .filter(|domain| !domain.is_empty())
}

fn opens(user: &str, from: usize, account: &str) -> bool {
    match (user.trim(), own_domain(user)) {
        ("autogroup:nonroot", _) => account != "root",
        (_, Some(domain)) => MACHINES[from].user == Some(format!("{account}@{domain}").as_str()),
        (literal, None) => literal == account,
    }
}

fn selects(selector: &str, machine: usize) -> bool {
    let Machine { user, tags } = &MACHINES[machine];
    match selector.trim() {
        "autogroup:member" => user.is_some(),
        "autogroup:tagged" => user.is_none(),
        "autogroup:owner" | "user:*@example.com" | "group:one" => *user == Some(ANN),
        "group:all" => user.is_some(),
        name => *user == Some(name) || tags.contains(&name),
    }
}

/// The result of a login by the rules of the model: checks come before all others.
fn by_the_model(rules: &[Rule], from: usize, to: usize, account: &str) -> Option<&'static str> {
    let admits = |action: &str| {
        rules
            .iter()
            .any(|rule| rule.action() == action && rule.lets_in(from, to, account))
    };
    ["check", "accept"]
        .into_iter()
        .find(|action| admits(action))
}

/// The result by the rules that the device receives: the first rule that matches decides.
fn as_told(
    told: &DeviceSshRules<'_>,
    context: &PolicyContext,
    from: usize,
    to: usize,
    account: &str,
) -> Option<String> {
    let address = context.devices.as_ref().expect("devices")[from].addresses[0];
    let fits = |users: &[(String, String)]| {
        let named = users.iter().find(|(asked, _)| asked == account);
        let local = named.or_else(|| users.iter().find(|(asked, _)| asked == "*"));
        local.is_some_and(|(_, local)| !local.is_empty())
    };
    let mut rules = told.of(DeviceIndex(to));
    let first =
        rules.find(|rule| rule.from.iter().any(|net| net.contains(address)) && fits(&rule.users));
    first.map(|rule| json!(rule.action).as_str().expect("a word").to_owned())
}

fn rule() -> impl Strategy<Value = Rule> {
    let action = prop_oneof![
        6 => select(vec![Some("accept"), Some("check"), Some(" accept"), Some("check\t")]),
        1 => select(vec![Some("Accept"), Some("deny"), Some(""), Some(" "), None]),
    ];
    let source = prop_oneof![
        9 => select(vec![ANN, BOB, "group:one", "group:all", "autogroup:member", "autogroup:owner", "user:*@example.com", "tag:a", "autogroup:tagged"]),
        1 => select(vec!["*", "box", "100.64.0.1", "user:*@other.org"]),
    ];
    let destination = prop_oneof![
        9 => select(vec!["tag:a", "tag:b", "autogroup:self", "autogroup:member", "autogroup:tagged", ANN]),
        1 => select(vec!["*", "box", "group:all", BOB]),
    ];
    let user = prop_oneof![
        9 => select(vec!["root", " deploy", "autogroup:nonroot\t", "localpart:*@example.com", " localpart:*@example.com", "localpart:*@",
            "localpart:ann@example.com", "autogroup:member"]),
        1 => select(vec!["*", "", " ", "localpart:*@EXAMPLE.COM", "localpart:*@other.org"]),
    ];
    let period = prop_oneof![
        9 => select(vec![None, Some("0s"), Some("30s"), Some("168h"), Some("always"), Some(" 1h ")]),
        1 => select(vec![Some("-1s"), Some("169h"), Some("soon"), Some("")]),
    ];
    let env = prop_oneof![9 => Just(vec!["LC_*"]), 1 => select(vec![vec![], vec!["A", ""]])];
    let list = |one, least| prop::collection::vec(one, least..3_usize);
    (
        action,
        prop::collection::vec(source, 1..3),
        prop::collection::vec(destination, 0..3),
        list(user.boxed(), 0),
        period,
        env,
    )
        .prop_map(|(action, src, dst, users, period, env)| Rule {
            action,
            src,
            dst,
            users,
            period,
            env,
        })
}

fn context() -> PolicyContext {
    let device = |(at, machine): (usize, &Machine)| json!({"id": at.to_string(), "user": machine.user, "tags": machine.tags, "addresses": [format!("100.64.0.{}", at + 1)]});
    let users = [
        json!({"loginName": ANN, "role": "owner"}),
        json!({"loginName": BOB, "role": "member"}),
    ];
    let devices: Vec<Value> = MACHINES.iter().enumerate().map(device).collect();
    let context = json!({"devices": devices, "users": users, "domains": [DOMAIN]});
    PolicyContext::read(&context.to_string()).expect("a context")
}

fn document(rules: &[Rule]) -> String {
    let rules: Vec<Value> = rules.iter().map(Rule::json).collect();
    let definitions = json!({
        "groups": {"group:one": [ANN], "group:all": [ANN, BOB]},
        "hosts": {"box": "100.64.0.1"},
        "tagOwners": {"tag:a": [], "tag:b": []},
        "ssh": rules,
    });
    definitions.to_string()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn check_takes_a_rule_and_ssh_applies_it_alike(rules in prop::collection::vec(rule(), 1..4)) {
        let (text, context) = (document(&rules), context());
        let parsed = hujson::parse(&text).expect("HuJSON");
        let policy = Policy::read(&parsed);
        let check = policy.check(&context);
        prop_assert_eq!(check.accepted, rules.iter().all(Rule::is_accepted), "{} {:?}", text, check.message);
        // A refused policy has no rules for devices; each rule that is accepted by itself can be tried alone.
        let rules: Vec<Rule> = rules.into_iter().filter(Rule::is_accepted).collect();
        let text = document(&rules);
        let parsed = hujson::parse(&text).expect("HuJSON");
        let policy = Policy::read(&parsed);
        prop_assert!(policy.check(&context).accepted, "{}", text);
        let told = policy.ssh_rules(&context);
        for from in 0..MACHINES.len() {
            for to in 0..MACHINES.len() {
                for account in ACCOUNTS {
                    let model = by_the_model(&rules, from, to, account);
                    let ours = as_told(&told, &context, from, to, account);
                    prop_assert_eq!(ours.as_deref(), model, "{} to {} as {} in {}", from, to, account, text);
                }
            }
        }
    }
}
