//! Stories: what the sandbox does, as requests and answers in text, behind the exchanges of `tests/api/wire`. Must not live here: the stories.
//!
//! A story begins with `## ` and its name, and has a sandbox of its own, that of `service.rs`. Each of its lines is a request, `PUT T/services/svc:wiki`
//! with a body behind it (`T` is the tailnet, other paths are below `/api/v2`), what the answer to it has, or one of
//!
//! - `as services:read dns`: from here on with a token of these scopes; `as ann@corp.example`: with one of that user (`of TAILNET`); `as tskey-…`: with that key or token;
//!   `as the last token`: with the one of these lines that was made last; `as the sandbox`: with its key;
//! - `given corp.example/devices/0/tags ["tag:a"]`: from here on a member of the state is this; `kept` and the same: it has become so;
//! - `join {"user": …}`: a machine signs in; its device is the answer, or a refusal with 400;
//! - `told [{"type": …}]`: the events for webhooks since these were last asked for;
//! - `60 s later`;
//! - `// …`: a comment.
//!
//! Of an answer there is the status, and one of
//!
//! - JSON: its objects may have more members, its lists not; `null` is a member that is not there; behind `=` it is exactly that;
//! - words of its message, or of its text where it has none; behind `without` words that the text does not have.
//!
//! `<name>` in the JSON of an answer is whatever text is there, and that text from there on. The state at the end of each story can be saved and read again.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tailnet_kit::api::Response;

use crate::service::{Answer, KEY, NOW, Service, T, service};

#[test]
fn every_story_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api/wire");
    let files = fs::read_dir(folder).expect("the folder").flatten();
    let texts = files.map(|file| fs::read_to_string(file.path()).expect("a text"));
    let texts: Vec<String> = texts.collect();
    let stories = texts.iter().flat_map(|text| text.split("\n## ").skip(1));
    let (mut count, mut faults) = (0, Vec::new());
    for story in stories {
        let (name, lines) = story.split_once('\n').expect("a name");
        let mut teller = Teller::new();
        let told = lines.lines().try_for_each(|line| teller.tell(line));
        let told = told.and_then(|()| teller.has_looked());
        faults.extend(told.err().map(|fault| format!("{name}: {fault}")));
        count += 1;
    }
    assert!(count > 0, "no story was told");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

struct Teller {
    service: Service,
    key: String,
    token: String,
    now: i64,
    /// What the answers before have where a name stands.
    names: Vec<(String, String)>,
    answer: Option<Answer>,
    /// Whether something was said of the last answer.
    is_looked_at: bool,
}

impl Teller {
    fn new() -> Teller {
        Teller {
            service: service(),
            key: KEY.to_owned(),
            token: String::new(),
            now: NOW,
            names: Vec::new(),
            answer: None,
            is_looked_at: false,
        }
    }

    /// A story that ends with a request says nothing of it, and could not fail.
    fn has_looked(&mut self) -> Result<(), String> {
        if !self.is_looked_at {
            return Err("it ends without a word on its last answer".to_owned());
        }
        let saved = self.service.0.state().to_json();
        let read = self.service.0.restore_json(&saved);
        match read.is_ok() && self.service.0.state().to_json() == saved {
            true => Ok(()),
            false => Err(format!("its state is another once it is read: {saved}")),
        }
    }

    fn tell(&mut self, line: &str) -> Result<(), String> {
        let mut said = line.to_owned();
        for (name, text) in &self.names {
            said = said.replace(name, text);
        }
        let fault = || format!("{line}: {}", self.answer.as_ref().map_or("", Answer::text));
        match said.split_once(' ') {
            _ if said.is_empty() || said.starts_with("//") => Ok(()),
            Some(("as", who)) => {
                self.key = self.key_of(who);
                Ok(())
            }
            Some(("given", said)) => {
                let mut state = self.state();
                let (parent, name, value) = member(&mut state, said).ok_or_else(fault)?;
                match parent {
                    Value::Array(items) => {
                        items[name.parse::<usize>().map_err(|_| fault())?] = value
                    }
                    parent => parent[name] = value,
                }
                let restored = self.service.0.restore_json(&state.to_string());
                restored.map_err(|error| format!("{line}: {error}"))
            }
            Some(("kept", said)) => {
                let mut state = self.state();
                let (parent, name, wanted) = member(&mut state, said).ok_or_else(fault)?;
                let found = match parent {
                    Value::Array(items) => {
                        items[name.parse::<usize>().map_err(|_| fault())?].clone()
                    }
                    parent => parent[name].clone(),
                };
                self.is_told(line, &found, &wanted)
            }
            Some(("told", wanted)) => {
                let deliveries = self.service.0.take_deliveries().into_iter();
                let events = deliveries.flat_map(|delivery| delivery.events).collect();
                let wanted = serde_json::from_str(wanted).map_err(|_| fault())?;
                self.is_told(line, &events, &wanted)
            }
            Some(("join", machine)) => {
                let joined = self.service.0.join_json(machine, self.now);
                let answer = match joined {
                    Ok(device) => Response::with_body(200, "application/json", device.into_bytes()),
                    Err(error) => Response::json(400, &json!({"message": error.to_string()})),
                };
                (self.answer, self.is_looked_at) = (Some(Answer(answer)), false);
                Ok(())
            }
            Some((seconds, "s later")) => {
                self.now += 1000 * seconds.parse::<i64>().map_err(|_| fault())?;
                Ok(())
            }
            _ if said.starts_with(|first: char| first.is_ascii_digit()) => {
                self.is_looked_at = true;
                match self.is_so(&said) {
                    true => Ok(()),
                    false => Err(format!(
                        "{line}\n  but {}",
                        self.answer.as_ref().map_or("", Answer::text)
                    )),
                }
            }
            Some((method, rest)) => {
                let (target, body) = rest.split_once(' ').unwrap_or((rest, ""));
                let target = match target.strip_prefix("T/") {
                    Some(path) => format!("{T}/{path}"),
                    None => format!("/api/v2{target}"),
                };
                let bearer = format!("Bearer {}", self.key);
                let headers = [("authorization", bearer.as_str())];
                let asked = self
                    .service
                    .ask_at(self.now, method, &target, &headers, body);
                (self.answer, self.is_looked_at) = (Some(asked), false);
                Ok(())
            }
            None => Err(fault()),
        }
    }

    fn key_of(&mut self, who: &str) -> String {
        let grant = match who {
            "the sandbox" => return KEY.to_owned(),
            "the last token" => return self.token.clone(),
            key if key.starts_with("tskey-") => return key.to_owned(),
            user if user.contains('@') => {
                let (user, tailnet) = user.split_once(" of ").unwrap_or((user, "corp.example"));
                json!({"scopes": ["all"], "user": user, "tailnet": tailnet})
            }
            scopes => json!({"scopes": scopes.split(' ').collect::<Vec<_>>()}),
        };
        let token = self.service.0.token_json(&grant.to_string(), self.now);
        self.token = token.expect("a token");
        self.token.clone()
    }

    fn state(&self) -> Value {
        serde_json::from_str(&self.service.0.state().to_json()).expect("a state")
    }

    /// Compares what is known besides answers.
    fn is_told(&mut self, line: &str, found: &Value, wanted: &Value) -> Result<(), String> {
        self.is_looked_at = true;
        match matches(found, wanted, false, &mut self.names) {
            true => Ok(()),
            false => Err(format!("{line}\n  but {found}")),
        }
    }

    /// Whether the last answer is as a line says.
    fn is_so(&mut self, line: &str) -> bool {
        let answer = self.answer.as_ref().expect("a request before");
        let (status, rest) = line.split_once(' ').unwrap_or((line, ""));
        let label = answer.header("content-type").unwrap_or_default();
        let is_labelled = answer.text().is_empty() || label.starts_with("application/");
        if status.parse() != Ok(answer.0.status) || !is_labelled {
            return false;
        }
        if let Some(words) = rest.strip_prefix("without ") {
            return !answer.text().contains(words);
        }
        let (is_all, wanted) = rest
            .strip_prefix("= ")
            .map_or((false, rest), |all| (true, all));
        match serde_json::from_str(wanted) {
            Ok(wanted @ (Value::Object(_) | Value::Array(_))) => {
                let given = answer.json();
                matches(&given, &wanted, is_all, &mut self.names)
            }
            _ => {
                let text = answer.text().to_owned();
                let json = serde_json::from_str::<Value>(&text).unwrap_or_default();
                json["message"].as_str().unwrap_or(&text).contains(wanted)
            }
        }
    }
}

/// What a line names of the state, `TAILNET/member/0 JSON`: what the last part is in, its name, and the JSON.
fn member<'s, 'l>(state: &'s mut Value, said: &'l str) -> Option<(&'s mut Value, &'l str, Value)> {
    let (path, value) = said.split_once(' ')?;
    let (parent, name) = path.rsplit_once('/')?;
    let parent = state.pointer_mut(&format!("/tailnets/{parent}"))?;
    Some((parent, name, serde_json::from_str(value).ok()?))
}

/// Whether a value is as wanted; learns what stands at the names in it.
fn matches(given: &Value, wanted: &Value, is_all: bool, names: &mut Vec<(String, String)>) -> bool {
    match (given, wanted) {
        (Value::String(text), Value::String(name)) if name.starts_with('<') => {
            names.push((name.clone(), text.clone()));
            true
        }
        (Value::Object(members), Value::Object(wanted)) => {
            let has = |(name, value): (&String, &Value)| match (members.get(name), value) {
                (None, Value::Null) => true,
                (None, _) => false,
                (Some(given), value) => matches(given, value, is_all, names),
            };
            let all = wanted.iter().all(has);
            all && (!is_all || members.keys().all(|name| wanted.contains_key(name)))
        }
        (Value::Array(items), Value::Array(wanted)) => {
            let mut pairs = items.iter().zip(wanted);
            items.len() == wanted.len()
                && pairs.all(|(given, wanted)| matches(given, wanted, is_all, names))
        }
        _ => given == wanted,
    }
}
