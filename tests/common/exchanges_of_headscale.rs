//! Exchanges with Headscale of each release, as text in the files beside, written after its own description of its API.
//! Must not live here: what writes or answers them.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tailnet_kit::api::headscale::Release;
use tailnet_kit::api::{Method, Request, Response};

/// A call of JavaScript, the requests and answers that it takes, and what it ends with: `code: message` of the error, if it is one.
pub struct Told {
    pub method: String,
    pub args: String,
    pub messages: Vec<(Request, Response)>,
    pub error: Option<String>,
}

/// The exchanges of a release.
pub fn told(release: Release) -> Vec<Told> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common/headscale");
    let text = fs::read_to_string(folder.join(format!("{release}.http"))).expect("a file");
    let text = format!("\n{text}");
    text.split("\n### ").skip(1).map(read).collect()
}

fn read(text: &str) -> Told {
    let (first, rest) = text.split_once('\n').expect("a call");
    let (method, args) = first.split_once(' ').expect("arguments");
    let mut told = Told {
        method: method.to_owned(),
        args: args.to_owned(),
        messages: Vec::new(),
        error: None,
    };
    let mut lines = rest.trim().lines().peekable();
    while let Some(line) = lines.next() {
        let (verb, target) = line.split_once(' ').expect("a request or a status");
        let mut headers = Vec::new();
        let mut body = String::new();
        while let Some(line) = lines.next_if(|line| !line.is_empty()) {
            match line.strip_prefix("# ") {
                Some(error) => told.error = Some(error.to_owned()),
                None => headers.push(line.split_once(": ").expect("a header field")),
            }
        }
        lines.next();
        let begins = |line: &&str| {
            line.starts_with("HTTP ")
                || line
                    .split_once(" /")
                    .is_some_and(|(verb, _)| Method::parse(verb).is_some())
        };
        while let Some(line) = lines.next_if(|line| !begins(line)) {
            body.push_str(line);
            body.push('\n');
        }
        let body = body.trim_end().as_bytes().to_vec();
        if verb == "HTTP" {
            let response = &mut told.messages.last_mut().expect("a request").1;
            response.status = target.parse().expect("a status");
            headers
                .iter()
                .for_each(|(name, value)| response.headers.set(name, *value));
            response.body = body;
        } else {
            let mut request = Request::new(Method::parse(verb).expect("a method"), target);
            headers
                .iter()
                .for_each(|(name, value)| request.headers.set(name, *value));
            request.body = body;
            told.messages.push((request, Response::empty(0)));
        }
    }
    told
}

/// A body as JSON, else as a text.
pub fn value(body: &[u8]) -> Value {
    serde_json::from_slice(body)
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(body).into_owned()))
}
