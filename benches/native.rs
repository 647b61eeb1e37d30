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
        if rule % 10 == 0 {
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
    group.bench_function("format", |b| b.iter(|| hujson::format(black_box(&text))));
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

/// The matches of one question, from the text on.
fn matches(text: &str, question: &policy::Query) -> Option<usize> {
    let document = hujson::parse(text).ok()?;
    let nobody = policy::Topology::default();
    Some(
        policy::Policy::read(&document)
            .preview(question, &nobody)
            .matches
            .len(),
    )
}

fn policies(criterion: &mut Criterion) {
    let text = policy_text(10_000);
    let question = policy::Query::User("user7@example.com".to_owned());
    let mut group = criterion.benchmark_group("policy");
    group
        .throughput(Throughput::Bytes(text.len() as u64))
        .sample_size(20);
    group.bench_function("preview", |b| {
        b.iter(|| matches(black_box(&text), &question))
    });
    group.finish();
}

criterion_group!(benches, hujson, addresses, policies);
criterion_main!(benches);
