//! Options that are refused: base URLs and headers. Must not live here: options of tokens (`token`).

use tailnet_kit::Code;
use tailnet_kit::api::ApiKey;
use tailnet_kit::client::Options;

use crate::script::options;

#[test]
fn base_urls_that_are_not_valid_are_refused() {
    for (url, word) in [
        ("", "empty"),
        ("api.example.com", "https://"),
        ("ftp://api.example.com", "https://"),
        ("https://", "host"),
        ("https://user@api.example.com", "user name"),
        ("https://:pw@api.example.com", "user name"),
        ("https://api.example.com?x=1", "query"),
        ("https://api.example.com/#top", "fragment"),
        ("https://api.example.com:99999", "port"),
        ("https://api example.com", "characters"),
        ("https://api.example.com\\@evil.example", "characters"),
        ("http://api.example.com", "loopback"),
        ("http://127.0.0.1.example.com", "loopback"),
        ("http://localhost.example.com", "loopback"),
        ("http://0x7f.1", "loopback"),
        ("/proxy", "https://"),
    ] {
        let error = Options::new(url).expect_err(url).to_string();
        assert!(
            error.starts_with("`baseURL` ") && error.contains(word),
            "{url}: {error}"
        );
        assert!(
            !error.contains("allowInsecureHTTP"),
            "Rust has no such option: {error}"
        );
    }
    for (url, base) in [
        ("https://API.example.com/", "https://api.example.com"),
        (
            " https://api.example.com:443/a/b// ",
            "https://api.example.com/a/b",
        ),
        ("http://localhost:8080", "http://localhost:8080"),
        ("http://127.9.9.9/x", "http://127.9.9.9/x"),
        ("HTTP://[::1]:80", "http://[::1]"),
        ("http://app.localhost", "http://app.localhost"),
        ("https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443"),
    ] {
        assert_eq!(Options::new(url).expect(url).base_url.to_string(), base);
    }
}

#[test]
fn headers_that_cannot_be_sent_are_refused_without_their_value() {
    let mut headers = options().headers;
    for (name, value) in [
        ("", "x"),
        ("a b", "x"),
        ("x\n", "x"),
        ("x", "secret\nmore"),
        ("x", "日"),
        ("x", "\0"),
    ] {
        let error = headers.push(name, Some(value)).expect_err(name);
        assert_eq!(error.code(), Code::InvalidArgument);
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    for key in ["", "  ", "a\nb", "a\u{0}"] {
        assert_eq!(
            ApiKey::new(key).expect_err("a bad key").code(),
            Code::InvalidArgument
        );
    }
    assert_eq!(ApiKey::new(" key\n").expect("a key").reveal(), "key");
}
