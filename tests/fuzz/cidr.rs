//! Each line is a prefix exactly if Go's `netip.ParsePrefix` accepts it; results and suggestions of the check pass it again;
//! the lines as two sets obey the laws of sets. Must not live here: any other law.
#![no_main]

use std::net::IpAddr;

use libfuzzer_sys::fuzz_target;
use tailnet_kit::cidr::{
    Address, AddressSet, BareAddress, HostBits, Ipv4Mapped, Options, Prefix, check, check_spelling,
};

fuzz_target!(|text: &str| {
    let mut sets = [AddressSet::new(), AddressSet::new()];
    let mut ends = Vec::new();
    for (index, line) in text.split('\n').take(40).enumerate() {
        assert_eq!(Address::parse(line).ok(), address(line), "{line}");
        let prefix = Prefix::parse(line).ok();
        assert_eq!(
            prefix.map(|it| (it.address(), it.length())),
            oracle(line),
            "{line}"
        );
        every_option(|options| judge(line, options));
        if let Some(prefix) = prefix {
            sets[index % 2] = sets[index % 2].union(&AddressSet::from(prefix));
            ends.extend([prefix.first(), prefix.last()]);
        }
    }
    let [one, other] = &sets;
    laws(one, other, &ends);
});

/// The standard library reads addresses as Go does, except that it refuses zones.
fn address(text: &str) -> Option<Address> {
    text.parse::<IpAddr>().ok().map(Address::from)
}

/// As `netip.ParsePrefix` is documented: the last slash separates an address without a zone from a
/// decimal number without sign or leading zero that is at most the width of the family.
fn oracle(text: &str) -> Option<(Address, u8)> {
    let (head, digits) = text.rsplit_once('/')?;
    let address = address(head)?;
    let length: u8 = digits.parse().ok()?;
    let canonical = length.to_string() == digits && length <= address.version().width();
    canonical.then_some((address, length))
}

fn every_option(mut act: impl FnMut(Options)) {
    for host_bits in [HostBits::Error, HostBits::Mask] {
        for bare_address in [BareAddress::Error, BareAddress::Host] {
            for ipv4_mapped in [Ipv4Mapped::Error, Ipv4Mapped::Unwrap, Ipv4Mapped::Keep] {
                act(Options {
                    host_bits,
                    bare_address,
                    ipv4_mapped,
                });
            }
        }
    }
}

/// A verdict is canonical and says whether the text was; a suggestion is canonical too.
fn judge(text: &str, options: Options) {
    let (accepted, canonical) = match check_spelling(text, options) {
        Ok(answer) => answer,
        Err(error) => {
            assert!(!error.to_string().contains(char::is_control));
            let Some(suggestion) = error.suggestion() else {
                return;
            };
            let prefix = check(suggestion, options);
            assert_eq!(
                prefix.as_ref().map(Prefix::to_string).as_deref(),
                Ok(suggestion)
            );
            return;
        }
    };
    assert_eq!(accepted, accepted.masked());
    assert_eq!(canonical, text == accepted.to_string());
    assert_eq!(check(&accepted.to_string(), options), Ok(accepted));
}

/// The laws of sets, at the ends of every prefix and as wholes.
fn laws(one: &AddressSet, other: &AddressSet, ends: &[Address]) {
    let (both, either) = (one.intersect(other), one.union(other));
    let (left, right) = (one.minus(other), other.minus(one));
    for &end in ends {
        let (in_one, in_other) = (one.contains(end), other.contains(end));
        assert!(in_one || in_other);
        assert_eq!(both.contains(end), in_one && in_other);
        assert_eq!(left.contains(end), in_one && !in_other);
    }
    assert_eq!(left.union(&both), *one);
    assert_eq!(left.union(&both).union(&right), either);
    assert_eq!(one.overlaps(other), !both.is_empty());
    assert_eq!(one.covers(other), right.is_empty());
    for set in [one, other, &both, &either, &left, &right] {
        let prefixes: Vec<Prefix> = set.prefixes().collect();
        assert_eq!(AddressSet::from_iter(prefixes.iter().copied()), *set);
        assert!(
            prefixes
                .windows(2)
                .all(|pair| !pair[0].overlaps(pair[1]) && pair[0] < pair[1])
        );
    }
}
