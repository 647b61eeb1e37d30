//! Address sets against a model that lists every address of four small windows, one at each end of
//! each family. Must not live here: text (see `prefix.rs`).

use std::collections::BTreeSet;

use proptest::prelude::*;
use tailnet_kit::cidr::{Address, AddressSet, Prefix, Range};

/// A window has 256 addresses; the windows touch 0.0.0.0, 255.255.255.255, :: and ffff:…:ffff.
const WINDOW: u32 = 256;
const WINDOWS: u32 = 4;

type Model = BTreeSet<u32>;

fn address(index: u32) -> Address {
    let within = index % WINDOW;
    match index / WINDOW {
        0 => Address::V4(within),
        1 => Address::V4(0xffff_ff00 | within),
        2 => Address::V6(within.into()),
        _ => Address::V6(!0xff | u128::from(within)),
    }
}

fn universe() -> impl Iterator<Item = u32> {
    0..WINDOW * WINDOWS
}

/// Runs of addresses within one window, often short, often touching one another.
fn runs() -> impl Strategy<Value = Vec<(u32, u32)>> {
    let run = (0..WINDOWS, 0..WINDOW, prop_oneof![0..4u32, 0..WINDOW]).prop_map(
        |(window, start, length)| {
            let last = (start + length).min(WINDOW - 1);
            (window * WINDOW + start, window * WINDOW + last)
        },
    );
    prop::collection::vec(run, 0..24)
}

fn set(runs: &[(u32, u32)]) -> AddressSet {
    let range = |&(first, last)| Range::new(address(first), address(last)).expect("one window");
    runs.iter().map(range).collect()
}

fn model(runs: &[(u32, u32)]) -> Model {
    runs.iter()
        .flat_map(|&(first, last)| first..=last)
        .collect()
}

fn listed(set: &AddressSet) -> Model {
    universe()
        .filter(|&index| set.contains(address(index)))
        .collect()
}

/// The fewest aligned blocks for the part of the model inside one block.
fn fewest(model: &Model, first: u32, size: u32) -> usize {
    match model.range(first..first + size).count() as u32 {
        0 => 0,
        full if full == size => 1,
        _ => fewest(model, first, size / 2) + fewest(model, first + size / 2, size / 2),
    }
}

proptest! {
    #[test]
    fn algebra_agrees_with_the_model(left in runs(), right in runs()) {
        let (a, b) = (set(&left), set(&right));
        let (x, y) = (model(&left), model(&right));
        prop_assert_eq!(listed(&a), x.clone());
        prop_assert_eq!(listed(&a.union(&b)), &x | &y);
        prop_assert_eq!(listed(&a.minus(&b)), &x - &y);
        prop_assert_eq!(listed(&a.intersect(&b)), &x & &y);
        prop_assert_eq!(a.overlaps(&b), !x.is_disjoint(&y));
        prop_assert_eq!(a.covers(&b), x.is_superset(&y));
        prop_assert_eq!(a == b, x == y);
        prop_assert_eq!(a.is_empty(), x.is_empty());
    }

    #[test]
    fn equal_sets_are_equal_however_made(left in runs(), right in runs()) {
        let (a, b) = (set(&left), set(&right));
        let everything = AddressSet::everything();
        prop_assert_eq!(a.union(&b), set(&[left, right].concat()));
        prop_assert_eq!(a.minus(&b), a.intersect(&everything.minus(&b)));
        prop_assert_eq!(a.minus(&b).union(&a.intersect(&b)), a.clone());
        prop_assert_eq!(a.ranges().collect::<AddressSet>(), a.clone());
        prop_assert_eq!(a.prefixes().collect::<AddressSet>(), a);
    }

    #[test]
    fn ranges_ascend_with_a_gap_between(runs in runs()) {
        let set = set(&runs);
        let ranges: Vec<Range> = set.ranges().collect();
        for pair in ranges.windows(2) {
            prop_assert!(pair[0].last() < pair[1].first());
            let joined = Range::new(pair[0].first(), pair[1].last());
            prop_assert!(joined.is_none_or(|joined| !set.covers_range(joined)));
        }
        for range in ranges {
            prop_assert!(set.covers_range(range));
        }
    }

    #[test]
    fn prefixes_are_the_fewest_and_ascend(runs in runs()) {
        let (set, model) = (set(&runs), model(&runs));
        let prefixes: Vec<Prefix> = set.prefixes().collect();
        let count: usize = (0..WINDOWS).map(|w| fewest(&model, w * WINDOW, WINDOW)).sum();
        prop_assert_eq!(prefixes.len(), count);
        prop_assert!(prefixes.is_sorted());
        prop_assert!(prefixes.iter().all(|prefix| !prefix.has_host_bits()));
    }

    #[test]
    fn a_prefix_is_the_set_of_its_addresses(bits: u128, length in 0..=128u8, other: u128, v4: bool) {
        let cut = |bits: u128| if v4 { Address::V4(bits as u32) } else { Address::V6(bits) };
        let length = if v4 { length % 33 } else { length };
        let prefix = Prefix::new(cut(bits), length).expect("a length of the family");
        let shared = if v4 { 32 } else { 128 } - u32::from(length);
        let near = cut(bits ^ 1u128.checked_shl(shared).unwrap_or(0));
        for address in [cut(other), near, prefix.first(), prefix.last(), prefix.address()] {
            let set = AddressSet::from(prefix);
            prop_assert_eq!(prefix.contains(address), set.contains(address));
            prop_assert_eq!(prefix.covers(Prefix::host(address)), set.contains(address));
        }
        prop_assert_eq!(Range::from(prefix).as_prefix(), Some(prefix.masked()));
    }
}

fn prefixes(texts: &[&str]) -> AddressSet {
    texts
        .iter()
        .map(|text| Prefix::parse(text).expect("a prefix"))
        .collect()
}

#[track_caller]
fn holds(set: &AddressSet, expected: &[&str]) {
    let texts: Vec<String> = set.prefixes().map(|prefix| prefix.to_string()).collect();
    assert_eq!(texts, expected);
}

#[test]
fn halves_join_up_to_everything() {
    holds(&prefixes(&["128.0.0.0/1", "0.0.0.0/1"]), &["0.0.0.0/0"]);
    holds(
        &prefixes(&["8000::/1", "::/1", "0.0.0.0/0"]),
        &["0.0.0.0/0", "::/0"],
    );
    assert_eq!(prefixes(&["0.0.0.0/0", "::/0"]), AddressSet::everything());
    holds(&AddressSet::everything(), &["0.0.0.0/0", "::/0"]);
}

#[test]
fn holes_at_the_ends_of_a_family_leave_the_rest() {
    let all = AddressSet::everything();
    assert!(all.minus(&all).is_empty());
    let inner = all.minus(&prefixes(&["0.0.0.0/32", "255.255.255.255/32", "::/0"]));
    assert_eq!(inner.prefixes().count(), 62);
    let range = inner.ranges().next().expect("one range");
    assert_eq!(range.to_string(), "0.0.0.1-255.255.255.254");
    let outer = all.minus(&prefixes(&["::/128", "0.0.0.0/0"]));
    assert_eq!(outer.prefixes().count(), 128);
}

#[test]
fn the_two_families_do_not_mix() {
    let v4 = prefixes(&["0.0.0.0/0"]);
    let v6 = prefixes(&["::/0"]);
    assert!(!v4.overlaps(&v6) && !v6.covers(&v4) && !v4.covers(&v6));
    assert!(!v6.contains(Address::V4(0)) && !v4.contains(Address::V6(0)));
    holds(
        &prefixes(&["::/0", "10.0.0.0/8"]).minus(&v6),
        &["10.0.0.0/8"],
    );
    assert!(!v6.overlaps(&prefixes(&["0.0.0.0/32"])));
}

#[test]
fn one_hole_reaches_over_several_ranges() {
    let set = prefixes(&["10.0.0.0/24", "10.0.2.0/24", "10.0.4.0/24"]);
    holds(
        &set.minus(&prefixes(&["10.0.0.128/25", "10.0.1.0/24", "10.0.2.0/23"])),
        &["10.0.0.0/25", "10.0.4.0/24"],
    );
    holds(&set.minus(&prefixes(&["10.0.0.0/16"])), &[]);
}
