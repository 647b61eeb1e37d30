//! Base64 with padding (RFC 4648, section 4). The library of that name is made for speed and contains much code for errors that
//! cannot happen here.
//! Must not live here: what is encoded.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The text for these bytes.
#[inline(never)]
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |at| u32::from(group.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let index = (bits >> (18 - 6 * at)) as usize % ALPHABET.len();
            let digit = ALPHABET.get(index).filter(|_| at <= group.len());
            text.push(digit.copied().map_or('=', char::from));
        }
    }
    text
}

/// The bytes that a text encodes, if it is their only encoding; none for any other text.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let padded = digits.len().next_multiple_of(4) == text.len();
    read(digits, ALPHABET).filter(|_| padded)
}

/// The same for the alphabet of URLs without padding (section 5).
pub(crate) fn decode_url(text: &str) -> Option<Vec<u8>> {
    read(text, URL_ALPHABET)
}

#[inline(never)]
fn read(digits: &str, alphabet: &[u8; 64]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0, 0);
    for digit in digits.bytes() {
        let value = alphabet.iter().position(|known| *known == digit)?;
        bits = bits << 6 | value;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    // What is left over is less than a digit, and nothing.
    (count < 6 && bits == 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{decode, decode_url, encode};

    /// RFC 4648, section 10.
    #[test]
    fn says_what_the_standard_says() {
        let pairs = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (bytes, text) in pairs {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(encode(&[0xFB, 0xFF, 0xFE]), "+//+");
    }

    #[test]
    fn reads_the_alphabet_of_urls_without_padding() {
        assert_eq!(decode_url("-__-").as_deref(), Some(&[0xFB, 0xFF, 0xFE][..]));
        assert_eq!(decode_url("Zm8").as_deref(), Some(b"fo".as_slice()));
        for text in ["+//+", "Zm8=", "Zm9", "Z"] {
            assert_eq!(decode_url(text), None, "{text}");
        }
    }

    #[test]
    fn takes_no_other_spelling() {
        for text in [
            "Zg", "Zg=", "Zg===", "Zh==", "Zm9", "Zm9v=", "Z", "Zm 9", "-_-_", "Zg==Zg==",
        ] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
