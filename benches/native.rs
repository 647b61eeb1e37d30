//! The crate natively: how fast each of its verbs takes a large text, in bytes a second.
//! Must not live here: comparisons with other libraries, which are made where they are used (`benches/js`).

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tailnet_kit::{cidr, hujson, policy};

/// Numbers from a seed (xorshift32), so that every run measures the same inputs.
struct Dice(u32);

impl Dice {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % limit
    }
}

/// A policy of `rules` rules, one a line, with a comment on every tenth; every name in it is defined.
fn policy_text(rules: usize) -> String {
    let mut dice = Dice(11);
    let mut text = String::from("// A grown organisation.\n{\n  \"groups\": {\n");
    for group in 0..100 {
        let (a, b) = (dice.below(500), dice.below(500));
        text += &format!(
            "    \"group:g{group}\": [\"user{a}@example.com\", \"user{b}@example.com\"], // {group}\n"
        );
    }
    text += "  },\n  \"acls\": [\n";
    for rule in 0..rules {
        if rule.is_multiple_of(10) {
            text += "    // reviewed by the network group\n";
        }
        let (group, net, port) = (dice.below(100), dice.below(256), 1 + dice.below(65_535));
        text += &format!(
            "    {{ \"action\": \"accept\", \"src\": [\"group:g{group}\"], \"dst\": [\"10.{net}.0.0/16:{port}\"] }},\n"
        );
    }
    text + "  ],\n}\n"
}

fn prefixes(count: usize) -> Vec<String> {
    let mut dice = Dice(17);
    let mut one = |at: usize| match at % 3 {
        0 => format!("10.{}.{}.0/24", dice.below(256), dice.below(256)),
        1 => format!(
            "2001:db8:{:x}:{:x}::/64",
            dice.below(65_536),
            dice.below(65_536)
        ),
        _ => format!(
            "192.168.{}.{}/{}",
            dice.below(256),
            dice.below(256),
            dice.below(40)
        ),
    };
    (0..count).map(&mut one).collect()
}

fn hujson(criterion: &mut Criterion) {
    let text = policy_text(10_000);
    let mut group = criterion.benchmark_group("hujson");
    group
        .throughput(Throughput::Bytes(text.len() as u64))
        .sample_size(20);
    group.bench_function("check", |b| b.iter(|| hujson::check(black_box(&text))));
    group.bench_function("parse", |b| {
        b.iter(|| hujson::parse(black_box(&text)).map(drop))
    });
    group.bench_function("standardize", |b| {
        b.iter(|| hujson::standardize(black_box(&text)))
    });
    group.bench_function("format", |b| b.iter(|| hujson::format(black_box(&text))));
    let edit = r#"[{"op": "replace", "path": "/acls/5000/src/0", "value": "group:g7"}]"#;
    group.bench_function("patch", |b| {
        b.iter(|| hujson::patch(black_box(&text), edit))
    });
    group.finish();
}

fn addresses(criterion: &mut Criterion) {
    let texts = prefixes(1_000);
    let mut group = criterion.benchmark_group("cidr");
    group.throughput(Throughput::Elements(texts.len() as u64));
    group.bench_function("parse", |b| {
        b.iter(|| {
            texts
                .iter()
                .filter(|text| cidr::Prefix::parse(black_box(text)).is_ok())
                .count()
        })
    });
    group.finish();
}

/// Devices of the same organisation: one of ten forwards a network that rules name.
fn devices(count: usize) -> policy::PolicyContext {
    let mut dice = Dice(13);
    let mut device = |at: usize| {
        let (user, net) = (dice.below(500), dice.below(256));
        let routes = if at.is_multiple_of(10) {
            vec![format!("10.{net}.0.0/16")]
        } else {
            Vec::new()
        };
        serde_json::json!({
            "id": at.to_string(),
            "user": format!("user{user}@example.com"),
            "addresses": [format!("100.64.{}.{}", at / 256, at % 256), format!("fd7a:115c:a1e0::{at:x}")],
            "advertisedRoutes": routes,
            "enabledRoutes": routes,
        })
    };
    let devices: Vec<_> = (0..count).map(&mut device).collect();
    serde_json::from_value(serde_json::json!({ "devices": devices })).expect("a context")
}

/// Answers a question about a policy, from its text on.
fn ask<T>(text: &str, question: impl FnOnce(&policy::Policy<'_>) -> T) -> Option<T> {
    let document = hujson::parse(text).ok()?;
    Some(question(&policy::Policy::read(&document)))
}

fn policies(criterion: &mut Criterion) {
    let text = policy_text(10_000);
    let nobody = policy::PolicyContext::default();
    let user = policy::Query::Of(policy::Subject::User("user7@example.com".to_owned()));
    assert!(
        policy::check(&text, &nobody).accepted,
        "a refused policy would be judged too fast"
    );
    let mut group = criterion.benchmark_group("policy");
    group
        .throughput(Throughput::Bytes(text.len() as u64))
        .sample_size(20);
    group.bench_function("preview", |b| {
        b.iter(|| {
            ask(black_box(&text), |policy| {
                policy
                    .preview(&user, &nobody)
                    .expect("an answer")
                    .matches
                    .len()
            })
        })
    });
    group.bench_function("check", |b| {
        b.iter(|| policy::check(black_box(&text), &nobody))
    });
    group.finish();
}

/// As many devices as rules: the time must not grow faster than their product.
fn filters(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("filters");
    group.sample_size(10);
    for size in [250, 500, 1_000] {
        let (text, network) = (policy_text(size), devices(size));
        group.bench_function(size.to_string(), |b| {
            b.iter(|| ask(black_box(&text), |policy| policy.filters(&network).len()))
        });
    }
    group.finish();
}

/// One group of so many members in as many rules, all of them to one network.
fn one_group(size: usize) -> String {
    let members: Vec<String> = (0..size)
        .map(|user| format!("\"user{user}@example.com\""))
        .collect();
    let rule = |at: usize| {
        let port = 1 + at % 60_000;
        format!(r#"{{"action": "accept", "src": ["group:all"], "dst": ["10.0.0.0/8:{port}"]}}"#)
    };
    let rules: Vec<String> = (0..size).map(rule).collect();
    format!(
        r#"{{"groups": {{"group:all": [{}]}}, "acls": [{}]}}"#,
        members.join(","),
        rules.join(",\n")
    )
}

/// What rules share must not be asked again for each of them: twice the text takes twice the time.
fn unlucky(criterion: &mut Criterion) {
    let nobody = policy::PolicyContext::default();
    let group = policy::Subject::Group("group:all".to_owned());
    let flow = policy::Flow::new(&group, "10.0.9.7:443", None).expect("a flow");
    let mut bench = criterion.benchmark_group("unlucky");
    bench.sample_size(10);
    for size in [250, 500, 1_000] {
        let text = one_group(size);
        bench.throughput(Throughput::Bytes(text.len() as u64));
        bench.bench_function(format!("check/{size}"), |b| {
            b.iter(|| policy::check(black_box(&text), &nobody))
        });
        bench.bench_function(format!("explain/{size}"), |b| {
            b.iter(|| {
                ask(black_box(&text), |policy| {
                    policy.explain(&flow, &nobody).map(|told| told.verdict)
                })
            })
        });
    }
    bench.finish();
}

criterion_group!(benches, hujson, addresses, policies, filters, unlucky);
criterion_main!(benches);
