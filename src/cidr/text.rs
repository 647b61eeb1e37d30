//! The canonical text of one address or prefix, written without heap: decimals, groups, `::`.
//! Must not live here: reading, the choice of an address's form.

/// Room for the longest prefix: eight groups of four, seven colons, `/128`.
const ROOM: usize = 43;

/// ASCII being written.
pub(super) struct Text {
    bytes: [u8; ROOM],
    length: usize,
}

impl Text {
    pub(super) const fn new() -> Self {
        Self {
            bytes: [0; ROOM],
            length: 0,
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    pub(super) fn as_str(&self) -> &str {
        // INVARIANT: only ASCII was written.
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    pub(super) fn push(&mut self, byte: u8) {
        // INVARIANT: no prefix is longer than the room, so there is always a place.
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }

    pub(super) fn ascii(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.push(byte));
    }

    pub(super) fn decimal(&mut self, number: u8) {
        if number >= 100 {
            self.push(b'0' + number / 100);
        }
        if number >= 10 {
            self.push(b'0' + number / 10 % 10);
        }
        self.push(b'0' + number % 10);
    }

    pub(super) fn ipv4(&mut self, bits: u32) {
        let [a, b, c, d] = bits.to_be_bytes();
        self.decimal(a);
        for octet in [b, c, d] {
            self.push(b'.');
            self.decimal(octet);
        }
    }

    /// RFC 5952: lower case, no leading zeros, the first of the longest runs of two or more zero
    /// groups written as `::`.
    pub(super) fn ipv6(&mut self, bits: u128) {
        let groups: [u16; 8] = core::array::from_fn(|index| (bits >> (112 - 16 * index)) as u16);
        let (start, end) = longest_zeros(&groups);
        self.groups(groups.get(..start).unwrap_or_default());
        if start < end {
            self.ascii(b"::");
            self.groups(groups.get(end..).unwrap_or_default());
        }
    }

    fn groups(&mut self, groups: &[u16]) {
        for (index, &group) in groups.iter().enumerate() {
            if index > 0 {
                self.push(b':');
            }
            self.hexadecimal(group);
        }
    }

    fn hexadecimal(&mut self, group: u16) {
        let digits = (19 - (group | 1).leading_zeros()) / 4;
        for place in (0..digits).rev() {
            let digit = (group >> (4 * place) & 0xf) as u8;
            self.push(if digit < 10 { b'0' } else { b'a' - 10 } + digit);
        }
    }
}

/// The run of groups to leave out, from start to before end; empty and out of range if there is none.
fn longest_zeros(groups: &[u16; 8]) -> (usize, usize) {
    let (mut best, mut start) = ((8, 8), 0);
    for (index, &group) in groups.iter().enumerate() {
        if group != 0 {
            start = index + 1;
        } else if index > start && (best.0 == 8 || index + 1 - start > best.1 - best.0) {
            best = (start, index + 1);
        }
    }
    best
}
