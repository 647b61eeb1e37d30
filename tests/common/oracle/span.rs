//! Sets of addresses as plain lists of spans. Must not live here: what a set stands for.

use std::net::IpAddr;

/// The addresses from a first to a last one of the same family.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Span {
    pub first: IpAddr,
    pub last: IpAddr,
}

/// Spans in any order; they may overlap.
pub type Set = Vec<Span>;

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => u128::from(v4.to_bits()),
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

/// The address of a number in the family of another address.
fn beside(like: IpAddr, number: u128) -> IpAddr {
    match like {
        IpAddr::V4(_) => IpAddr::V4(u32::try_from(number).expect("an IPv4 number").into()),
        IpAddr::V6(_) => IpAddr::V6(number.into()),
    }
}

/// The address before; the first address has none.
pub fn before(address: IpAddr) -> Option<IpAddr> {
    let less = number(address).checked_sub(1)?;
    Some(beside(address, less))
}

/// The address after; the last address has none.
pub fn after(address: IpAddr) -> Option<IpAddr> {
    let end = if address.is_ipv4() {
        u128::from(u32::MAX)
    } else {
        u128::MAX
    };
    (number(address) < end).then(|| beside(address, number(address) + 1))
}

impl Span {
    pub fn one(address: IpAddr) -> Span {
        Span {
            first: address,
            last: address,
        }
    }

    /// Reads an address, a prefix or a range `a-b`.
    pub fn read(text: &str) -> Option<Span> {
        let text = text.trim();
        if let Ok(address) = text.parse() {
            return Some(Span::one(address));
        }
        if let Some((first, last)) = text.split_once('-') {
            return Some(Span {
                first: first.parse().ok()?,
                last: last.parse().ok()?,
            });
        }
        let (address, bits) = text.split_once('/')?;
        let (address, bits): (IpAddr, u32) = (address.parse().ok()?, bits.parse().ok()?);
        let width: u32 = if address.is_ipv4() { 32 } else { 128 };
        let host = u128::MAX
            .checked_shr(128 - width.checked_sub(bits)?)
            .unwrap_or(0);
        let first = number(address) & !host;
        Some(Span {
            first: beside(address, first),
            last: beside(address, first | host),
        })
    }

    pub fn contains(self, address: IpAddr) -> bool {
        self.first.is_ipv4() == address.is_ipv4() && self.first <= address && address <= self.last
    }

    pub fn overlaps(self, other: Span) -> bool {
        self.contains(other.first) || other.contains(self.first)
    }

    pub fn is_inside(self, other: Span) -> bool {
        other.contains(self.first) && other.contains(self.last)
    }

    /// How many addresses lie beyond the first.
    pub fn length(self) -> u128 {
        number(self.last) - number(self.first)
    }
}

pub fn holds(set: &Set, address: IpAddr) -> bool {
    set.iter().any(|span| span.contains(address))
}

/// What is left of a set.
pub fn minus(set: Set, cut: Span) -> Set {
    let mut left = Set::new();
    for span in set {
        if !span.overlaps(cut) {
            left.push(span);
            continue;
        }
        if span.first < cut.first {
            let last = before(cut.first).expect("something is before");
            left.push(Span {
                first: span.first,
                last,
            });
        }
        if cut.last < span.last {
            let first = after(cut.last).expect("something is after");
            left.push(Span {
                first,
                last: span.last,
            });
        }
    }
    left
}

/// The prefixes that a span is made of, as text.
pub fn prefixes(span: Span) -> Vec<String> {
    let (width, last) = (
        if span.first.is_ipv4() { 32 } else { 128 },
        number(span.last),
    );
    let (mut prefixes, mut first) = (Vec::new(), Some(number(span.first)));
    while let Some(at) = first.filter(|at| *at <= last) {
        let fits = |bits: u32| {
            let more = 1_u128.checked_shl(bits).map_or(u128::MAX, |size| size - 1);
            at & more == 0 && at.checked_add(more).is_some_and(|end| end <= last)
        };
        let bits = (0..=width)
            .rev()
            .find(|bits| fits(*bits))
            .unwrap_or_default();
        prefixes.push(format!("{}/{}", beside(span.first, at), width - bits));
        first = 1_u128
            .checked_shl(bits)
            .and_then(|size| at.checked_add(size));
    }
    prefixes
}

fn all_of(texts: &[&str]) -> Set {
    let read = |text: &&str| Span::read(text).expect("a set");
    texts.iter().map(read).collect()
}

/// All addresses.
pub fn everything() -> Set {
    all_of(&["0.0.0.0/0", "::/0"])
}

/// The addresses of devices: docs/policy-language.md#sources, of `*`.
pub fn tailnet() -> Set {
    all_of(&[
        "100.64.0.0-100.115.91.255",
        "100.115.94.0-100.127.255.255",
        "fd7a:115c:a1e0::/48",
    ])
}

/// `autogroup:internet`: docs/policy-language.md#destinations.
pub fn internet() -> Set {
    let mut set = all_of(&["0.0.0.0/0", "2000::/3"]);
    for cut in all_of(&[
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "100.64.0.0/10",
    ]) {
        set = minus(set, cut);
    }
    set
}
