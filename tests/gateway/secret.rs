//! The key, however the service spells it, passes in no answer. Must not live here: other headers (`headers`).

use serde_json::json;
use tailnet_kit::api::Headers;
use tailnet_kit::gateway::{passing, repeats};

use super::gate::{KEY, fields, gateway, key};

/// The text with every character encoded.
fn spelled(text: &str, character: impl Fn(char) -> String) -> Vec<u8> {
    text.chars().map(character).collect::<String>().into_bytes()
}

#[test]
fn the_key_is_found_in_every_spelling() {
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE};
    let wide = |bytes: Vec<u8>, at: usize, of: usize| -> Vec<u8> {
        bytes
            .iter()
            .flat_map(|byte| (0..of).map(move |place| if place == at { *byte } else { 0 }))
            .collect()
    };
    let escaped = spelled(KEY, |c| format!("\\u{:04x}", c as u32));
    let mut spellings = vec![
        KEY.as_bytes().to_vec(),
        escaped.clone(),
        spelled(KEY, |c| format!("\\u{:04X}", c as u32)),
        spelled(KEY, |c| format!("\\\\u{:04x}", c as u32)),
        spelled(KEY, |c| format!("%{:02x}", c as u32)),
        spelled(KEY, |c| format!("&#{};", c as u32)),
        spelled(KEY, |c| format!("&#x{:x};", c as u32)),
        spelled(KEY, |c| format!("&#X00{:X};", c as u32)),
        spelled(KEY, |c| format!("&amp;#{};", c as u32)),
        KEY.replace('-', "&#45").into_bytes(),
        spelled(KEY, |c| format!("{:02x}", c as u32)),
        spelled(KEY, |c| format!("{:02X}", c as u32)),
        KEY.replace('-', "\\u002d").into_bytes(),
        wide(KEY.as_bytes().to_vec(), 0, 2),
        wide(KEY.as_bytes().to_vec(), 1, 2),
        wide(KEY.as_bytes().to_vec(), 3, 4),
        wide(escaped, 0, 2),
    ];
    for before in ["", "a", "ab", "abc", "{\"key\": \""] {
        for after in ["", ":", "??~~"] {
            let text = format!("{before}{KEY}{after}");
            spellings.push(STANDARD.encode(&text).into_bytes());
            spellings.push(URL_SAFE.encode(&text).into_bytes());
            let lines = STANDARD.encode(&text);
            let (one, two) = lines.split_at(lines.len() / 2);
            spellings.push(format!("{one}\r\n {two}").into_bytes());
        }
    }
    for spelling in spellings {
        let body = [b"{\"message\": \"no ".as_slice(), &spelling, b"\"}"].concat();
        assert!(repeats(&key(), &body), "{}", String::from_utf8_lossy(&body));
    }
    let other = KEY.replace("EXAMPLE", "EXAMPLF");
    for body in [
        String::new(),
        other.clone(),
        STANDARD.encode(other),
        KEY[..KEY.len() - 1].to_owned(),
        "\\u00".to_owned(),
        "%".to_owned(),
        "\\".to_owned(),
    ] {
        assert!(!repeats(&key(), body.as_bytes()), "{body}");
    }
}

#[test]
fn no_spelling_passes_in_pieces() {
    use base64::Engine as _;
    let spellings = [
        KEY.as_bytes().to_vec(),
        base64::engine::general_purpose::STANDARD
            .encode(KEY)
            .into_bytes(),
        spelled(KEY, |c| format!("\\u{:04x}", c as u32)),
        spelled(KEY, |c| format!("%{:02x}", c as u32)),
        spelled(KEY, |c| format!("&#{};", c as u32)),
        spelled(KEY, |c| format!("&amp;#x{:x};\n", c as u32)),
        spelled(KEY, |c| format!("{c}\0")),
    ];
    for spelling in spellings {
        let body = [b"before, ".as_slice(), &spelling, b" after"].concat();
        for size in 1..body.len() {
            let (mut held, mut passed) = (Vec::new(), Vec::new());
            let found = body.chunks(size).any(|piece| {
                held.extend_from_slice(piece);
                let Some(free) = passing(&key(), &held) else {
                    return true;
                };
                passed.extend(held.drain(..free));
                false
            });
            assert!(found, "{} by {size}", String::from_utf8_lossy(&body));
            assert!(
                b"before, ".starts_with(&passed),
                "a part of the key has passed"
            );
        }
    }
}

#[test]
fn what_is_no_beginning_of_the_key_passes_at_once() {
    let free = |text: &str| passing(&key(), text.as_bytes());
    let begun = &KEY[..5];
    for (text, held) in [
        ("{\"devices\": []}", 0),
        ("{\"a\": \"R&D\"}", 0),
        ("", 0),
        (&format!("{{\"a\": \"{begun}"), 5),
        (&format!("{{\"a\": \"{begun}. "), 0),
        ("a\\u00", 4),
        ("a%", 1),
        ("100 % of it", 9),
        ("100 % of it.", 0),
    ] {
        assert_eq!(free(text), Some(text.len() - held), "{text}");
    }
}

#[test]
fn a_header_that_repeats_the_key_is_left_out() {
    let basic = key().to_basic();
    for hidden in [
        format!("\"{KEY}\""),
        basic.clone(),
        basic[6..].to_owned(),
        KEY.replace('-', "%2D"),
    ] {
        let service = ["content-type", "etag", "retry-after"].map(|name| (name, hidden.as_str()));
        let response =
            gateway(json!({})).hand_back(&Headers::new(), 200, &fields(&service), &key());
        let names: Vec<&str> = response.headers.iter().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            ["Cache-Control", "X-Content-Type-Options"],
            "{hidden}"
        );
    }
}
