//! Law: an assertion is `true`, `false` or undecided exactly as a look at every single flow shows; `explain` confirms each
//! counterexample. Must not live here: assertions about one document (`tests/policy/prove`), what rules mean (`oracle`).
//!
//! A world is a random policy, another one to compare with, and a network of at most eight devices, of which the engine gets all
//! or only a part as its context. The oracle never uses the engine. It takes complete networks that agree with that context, and
//! looks at every flow between two addresses: those of devices, and one for each combination of the sets of rules, routes and
//! claim that contain it; all ports and protocols at once, with one bit for each that rules and claims tell apart. Every user and
//! every tag has a device: where none is listed, one at an address that nothing names, and of both families where all devices are known: a flow of
//! either may be its. Logins are looked at device by device and account by account.
//!
//! What is open, and may be either way:
//!
//! - The posture of a sender. Each end has a sender that meets no posture; whether there are others is not known. So `always`
//!   fails where a posture is required, and `never` is open.
//! - Which of several routers of one route receives: any of them, for each flow separately, and the same one under two policies
//!   that leave the same choice. Of several exit nodes the source chooses one.
//! - Without the roles of users: who holds which. Each has one or none, and somebody holds each.
//! - Without users: who else there is in each domain, and whether a user has the name of an account.
//! - Without devices: who owns each address of the tailnet, where the devices of each user and each tag are, and which routers
//!   and exit nodes lead to other addresses. A device has only one tag (docs/policy-language.md#without-devices).
//!
//! `true` holds in all networks, whatever is open. `false` has one flow that is against it in all of them. An open assertion fails
//! in one network, and has no such flow, unless `explain` leaves that flow open: a counterexample must be confirmed by it
//! (docs/policy-language.md#assertions). Such flows, and assertions that fail in each network by another flow, are counted.

mod claims;
mod field;
mod judged;
mod logins;
mod open;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::Mutex;

use serde_json::{Value, json};
use tailnet_kit::hujson;
use tailnet_kit::policy::{Flow, Guard, Judge, Policy, PolicyContext, Subject, Verdict};

use crate::case::{Case, Fault, Found, Law};
use crate::oracle::Oracle;
use crate::oracle::document::{member, texts};
use crate::random::dice::Dice;
use crate::random::rules::with_port;
use claims::{Asked, draw};
use field::Bits;
use judged::Policies;
use open::Open;

/// How many networks are tried where something of the network is open, and how many before an open answer counts as unexplained.
const TRIED: usize = 8;
const AT_MOST: usize = 40_000;
/// After how many networks they are made for the flows that are left, and of how many flows `explain` is asked before.
const LONG: usize = 4 * TRIED;
const FEW: usize = 50;

/// How many assertions were checked so far, by form and answer.
static COUNTED: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());

fn count(what: &str, more: u64) {
    let mut counted = COUNTED.lock().expect("no panic while counting");
    *counted.entry(what.to_owned()).or_default() += more;
}

/// The roles that a text names.
fn roles(texts: &[&Value]) -> Vec<&'static str> {
    let all = [
        "owner",
        "admin",
        "it-admin",
        "network-admin",
        "billing-admin",
        "auditor",
    ];
    let text: String = texts.iter().map(|text| text.to_string()).collect();
    let is_named = |role: &&str| text.contains(&format!("\"autogroup:{role}"));
    all.into_iter().filter(is_named).collect()
}

/// Whether the case has all that the law relies on, which a case made small may lack.
fn is_whole(case: &Case, after: &Value) -> bool {
    let means = |policy: &Value| {
        ["groups", "hosts", "ipsets", "postures"].map(|name| member(policy, &[name]).cloned())
    };
    let mut lists = ["devices", "users"].iter();
    lists.all(|list| case.tailnet()[list].is_array()) && means(case.policy()) == means(after)
}

fn judge_one(case: &Case, after: &Value, asked: &Asked) -> Result<(), String> {
    let mut base = after.clone();
    base["ssh"] = asked.ssh.clone();
    let policies = Policies {
        own: case.policy(),
        base: &base,
    };
    let context = asked.told.of(case.tailnet());
    let found = answer(&case.text, &base, &context, &asked.assertion);
    let holds = found["holds"].as_bool();
    // A policy that was made small may lack a name; then the assertion is false without a counterexample.
    let why = found["why"].as_str().unwrap_or_default();
    if holds == Some(false) && found.get("counterexample").is_none() && why.contains("` is no") {
        return Ok(());
    }
    let is_refuted = |fails: &_| refuted(case, &policies, &context, asked, fails);
    let open = open(&policies, &context, asked);
    let tried = try_networks(
        &open,
        &policies,
        asked,
        (holds, &|fails| is_refuted(fails).is_some()),
    )?;
    let wrong = match holds {
        Some(true) => tried.may_fail.map(|how| format!("is not refuted: {how}")),
        // Where a hop may be allowed, paths are not told apart by all that may hold at once.
        None if asked.is_over_open_hops() => None,
        // Nobody says which postures people of other tailnets have, who have no device in a network here.
        None if tried.may_fail.is_none()
            && why.starts_with("`autogroup:shared` to `")
            && why.contains(": allowed with `posture:") =>
        {
            None
        }
        None if tried.may_fail.is_none() => Some("is open and never fails: ".to_owned()),
        None => is_refuted(&tried.fails).map(|flow| format!("is open and always fails: {flow:?}")),
        Some(false) if tried.fails.is_empty() => Some("is refuted by nothing: ".to_owned()),
        // No flow is named where none can be: `explain` denies those that were tried.
        Some(false) if why.starts_with("no address of the source is of a family") => None,
        Some(false)
            if is_confirmed(case, &policies, &context, (asked, &found["counterexample"])) =>
        {
            None
        }
        Some(false) => Some("is not confirmed: ".to_owned()),
    };
    let (verb, _) = asked.parts();
    if let Some(wrong) = wrong {
        let (told, assertion) = (asked.told, &asked.assertion);
        return Err(format!("{verb} {wrong} {told:?} {assertion} {found}"));
    }
    count("flows and logins", tried.looked_at);
    if holds.is_none() && !tried.fails.is_empty() {
        count(
            "null that fails by one flow of which explain says that it is open",
            1,
        );
    }
    if holds.is_none() && tried.always_fails {
        count(
            "null that fails in each network tried, by another flow in each",
            1,
        );
    }
    count(&format!("{}: {}", asked.form(), found["holds"]), 1);
    count(&format!("told {:?}: {}", asked.told, found["holds"]), 1);
    Ok(())
}

/// A flow or login that is against an open assertion in every network, and that the engine should have named; it names a flow
/// only if `explain` confirms it.
fn refuted(
    case: &Case,
    policies: &Policies<'_>,
    context: &Value,
    asked: &Asked,
    fails: &HashMap<Ends, Bits>,
) -> Option<Ends> {
    let traffic = judged::traffic(policies, asked);
    explaining(case, policies, context, |own, base| {
        let told = |(ends, bits): &(&Ends, &Bits)| {
            let [from, to, account] = ends;
            let is_confirmed = |at: &usize| {
                let (protocol, port) = traffic.atoms[*at];
                let flow = json!({"from": **from, "to": with_port(to, port), "proto": protocol.to_string()});
                is_against(asked, &says(own, &flow), &|| says(base, &flow))
            };
            let mut atoms = (0..traffic.atoms.len()).filter(|at| *bits >> at & 1 == 1);
            !account.is_empty() || atoms.any(|at| is_confirmed(&at))
        };
        fails.iter().find(told).map(|(ends, _)| ends.clone())
    })
}

/// What is open in a world, as far as it matters to an assertion.
fn open<'c>(policies: &Policies<'c>, context: &'c Value, asked: &Asked) -> Open<'c> {
    let (_, claim) = asked.parts();
    let nobody = json!({"devices": [], "users": []});
    let both = [policies.own, policies.base];
    let oracles = both.map(|policy| Oracle::new(policy, &nobody));
    let named = [texts(claim.get("from")), texts(claim.get("to"))].concat();
    let named: Vec<&str> = named.iter().map(String::as_str).collect();
    let owners = both.map(|policy| member(policy, &["tagOwners"]).and_then(Value::as_object));
    let tags = owners.into_iter().flatten().flatten();
    let tags: BTreeSet<&str> = tags.map(|(tag, _)| tag.as_str()).collect();
    let grants = both.map(|policy| member(policy, &["grants"]).and_then(Value::as_array));
    let ways = grants.into_iter().flatten().flatten();
    let ways: BTreeSet<&str> = ways
        .flat_map(|grant| grant["via"].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
        .collect();
    Open {
        context,
        ways: ways.intersection(&tags).copied().collect(),
        tags: tags.into_iter().collect(),
        roles: roles(&[policies.own, policies.base, claim]),
        ends: field::ends(&[&oracles[0], &oracles[1]], &named),
        all_owned: claim.get("users").is_some(),
    }
}

/// The names of both ends, and the account of a login.
pub type Ends = [std::rc::Rc<str>; 3];

/// An assertion in some networks.
struct Tried {
    /// How it fails in one of them.
    may_fail: Option<String>,
    /// The traffic against it in all of them.
    fails: HashMap<Ends, Bits>,
    looked_at: u64,
    /// Whether it fails in each of them.
    always_fails: bool,
}

/// Whether one of the flows that are against an assertion in all networks could have been told.
type IsRefuted<'r> = dyn Fn(&HashMap<Ends, Bits>) -> bool + 'r;

/// Tries networks until the answer is clearly right, or enough were tried.
fn try_networks(
    open: &Open<'_>,
    policies: &Policies<'_>,
    asked: &Asked,
    (holds, is_refuted): (Option<bool>, &IsRefuted<'_>),
) -> Result<Tried, String> {
    let mut asked_about: Option<u32> = None;
    let mut dice = Dice::new(asked.seed);
    let most = match holds {
        _ if open.is_settled() => 1,
        // What more networks show is not asked (see `judge_one`).
        None if asked.is_over_open_hops() => TRIED,
        None => AT_MOST,
        Some(_) => TRIED,
    };
    let mut tried = Tried {
        may_fail: None,
        fails: HashMap::new(),
        looked_at: 0,
        always_fails: true,
    };
    for at in 0..most {
        // What is against it in every network so far may need two ends in a special combination; between two families nothing passes.
        let ends = |[from, to, _]: &Ends| -> Option<[IpAddr; 2]> {
            let ends = [from.parse().ok()?, to.parse().ok()?];
            let [from, to] = ends.map(|end: IpAddr| end.is_ipv4());
            (from == to).then_some(ends)
        };
        let focus = tried
            .fails
            .keys()
            .filter(|_| at > LONG)
            .filter_map(ends)
            .min();
        let whole = open.network(&mut dice, at, focus);
        let judged = judged::judge(&whole, policies, asked)?;
        let network = || format!(" in {}", whole.context);
        let may_fail = judged.may_fail.map(|how| how + &network());
        let judged_fails = !judged.fails.is_empty();
        tried.looked_at += judged.looked_at;
        tried.may_fail = tried.may_fail.or(may_fail);
        tried.fails = match at {
            0 => judged.fails,
            _ => in_both(tried.fails, &judged.fails),
        };
        tried.always_fails &= judged_fails;
        // Each flow is a question to `explain`: many wait until more networks leave fewer of them, and few are asked about anew only when
        // some of them are settled.
        let left = tried.fails.values().map(|bits| bits.count_ones()).sum();
        let is_due =
            tried.may_fail.is_some() && (at >= LONG || at >= TRIED && tried.fails.len() <= FEW);
        let is_asked = holds.is_none() && is_due && asked_about.replace(left) != Some(left);
        let is_open = tried.may_fail.is_some()
            && (tried.fails.is_empty() || is_asked && !is_refuted(&tried.fails));
        if holds.is_none() && is_open && (at >= TRIED || !tried.always_fails) {
            break;
        }
    }
    Ok(tried)
}

/// The traffic against it in both of two networks.
fn in_both(mut fails: HashMap<Ends, Bits>, other: &HashMap<Ends, Bits>) -> HashMap<Ends, Bits> {
    fails.retain(|ends, bits| {
        *bits &= other.get(ends).copied().unwrap_or_default();
        *bits != 0
    });
    fails
}

/// The engine's answer to one assertion.
fn answer(text: &str, base: &Value, context: &Value, assertion: &Value) -> Value {
    let document = hujson::parse(text).expect("HuJSON");
    let context = PolicyContext::read(&context.to_string()).expect("a context");
    let guard = Guard::read(&json!([assertion]).to_string(), true).expect("a guard");
    let bases = [("after".to_owned(), base.to_string())];
    let proof = Policy::read(&document).prove(&guard, &bases, &context);
    json!(proof.expect("a proof"))["results"][0].take()
}

/// Whether `explain` confirms a counterexample, by a rule if one allows it; a login is checked only by the oracle.
fn is_confirmed(
    case: &Case,
    policies: &Policies<'_>,
    context: &Value,
    (asked, found): (&Asked, &Value),
) -> bool {
    if found["flow"].get("user").is_some() {
        return true;
    }
    // Where neither section is there, everything is allowed without a rule.
    let by_no_rule =
        member(case.policy(), &["acls"]).is_none() && member(case.policy(), &["grants"]).is_none();
    let flow = &found["flow"];
    let (is_against, is_open) = explaining(case, policies, context, |own, base| {
        let own = says(own, flow);
        (is_against(asked, &own, &|| says(base, flow)), own.is_open())
    });
    let is_own = asked.parts().0 != "always" && is_open;
    is_against && (found["rule"].is_null() != is_own || by_no_rule)
}

/// Passes on the two policies, ready for `explain`: a policy is read once for many flows.
fn explaining<R>(
    case: &Case,
    policies: &Policies<'_>,
    context: &Value,
    then: impl FnOnce(&Judge<'_>, &Judge<'_>) -> R,
) -> R {
    let base = policies.base.to_string();
    let documents = [&case.text, &base].map(|text| hujson::parse(text).expect("HuJSON"));
    let [own, base] = documents.each_ref().map(Policy::read);
    let context = PolicyContext::read(&context.to_string()).expect("a context");
    then(&Judge::new(&own, &context), &Judge::new(&base, &context))
}

/// Whether, by what `explain` says under each policy, a flow is against an assertion.
fn is_against(asked: &Asked, own: &Verdict, base: &dyn Fn() -> Verdict) -> bool {
    let (verb, _) = asked.parts();
    match verb {
        "always" => matches!(own, Verdict::Denied | Verdict::Partly),
        "never" | "only" => own.is_open(),
        "noMoreThan" if !own.is_open() => false,
        _ => {
            let base = base();
            let is_same = [own, &base].contains(&&Verdict::Unknown) || *own == base;
            !is_same && (own.is_open() || verb == "sameAs")
        }
    }
}

/// The answer of `explain` about a flow.
fn says(judge: &Judge<'_>, flow: &Value) -> Verdict {
    let end = |side: &str| flow[side].as_str().expect("a name").to_owned();
    // A counterexample goes into a question as it is.
    let flow = Flow::new(
        &Subject::Plain(end("from")),
        &end("to"),
        flow["proto"].as_str(),
    );
    let explained = judge.explain(&flow.expect("a flow"));
    explained.expect("an answer").verdict
}

fn judge(case: &Case, asked: &[Asked]) -> Found {
    let after = case.changed();
    if !is_whole(case, after.policy()) {
        return Ok(0);
    }
    for (at, asked) in asked.iter().enumerate() {
        judge_one(case, after.policy(), asked).map_err(|says| Fault::new(at, says))?;
    }
    count("worlds", 1);
    Ok(asked.len())
}

#[test]
fn an_assertion_holds_exactly_if_every_flow_is_as_it_says() {
    Law {
        name: "prove",
        share: 32,
        draw,
        judge,
    }
    .holds();
    for (what, count) in COUNTED.lock().expect("no panic while counting").iter() {
        println!("prove: {count} {what}");
    }
}
