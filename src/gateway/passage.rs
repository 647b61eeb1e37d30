//! A request on its way through the gateway: after each thing that happened, what the sender does next. Must not live here: sending, waiting, a clock;
//! what is let through (`Gateway::decide`).

use std::time::Duration;

use super::{Asked, Decision, Denial, Event, Gateway, MAX_BODY, Member, repeats};
use crate::Code;
use crate::api::{ApiKey, Effect, Headers, Request, Response, headers};

/// A request on its way through a gateway.
///
/// ```
/// use tailnet_kit::api::Headers;
/// use tailnet_kit::gateway::{Event, Gateway, Passage, Step};
///
/// let options = r#"{"baseURL": "https://api.example.com", "tailnet": "example.com"}"#;
/// let gateway = Gateway::read(options, |url| Ok(url.to_owned()))?;
/// let mut passage = Passage::new(&gateway, "GET", "https://edge.example.com/api/v2/tailnet/-/acl", Headers::new());
/// assert!(matches!(passage.first(), Step::Authorize { operation: "acl.get", .. }));
/// let Step::Answer(refusal) = passage.next(Event::Authorized(false)) else { panic!() };
/// assert_eq!(refusal.status, 401);
/// # Ok::<(), tailnet_kit::api::Error>(())
/// ```
#[derive(Debug)]
pub struct Passage<'g> {
    gateway: &'g Gateway,
    operation: Option<Asked>,
    decision: Decision,
    /// The header fields of the caller.
    caller: Headers,
    stage: Stage,
    key: Option<ApiKey>,
    /// The key that was answered with 401.
    rejected: Option<ApiKey>,
    /// The service's last answer.
    answered: (u16, Headers),
}

/// What was begun last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Authorize,
    Body,
    Key,
    Recall,
    Lookup,
    List,
    Send,
    Open,
    Words,
}

/// What the sender does next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<'p> {
    /// Ask `authorize`: [`Event::Authorized`].
    Authorize {
        /// What the request seems to ask for.
        operation: &'static str,
        /// The time limit; `None` for no limit.
        limit: Option<Duration>,
    },
    /// Read the caller's body, at most so many bytes: [`Event::Read`].
    ReadBody(usize),
    /// Get the key: [`Event::Key`].
    Key {
        /// The key that was just answered with 401.
        rejected: Option<&'p ApiKey>,
    },
    /// Look whether the member is remembered: [`Event::Member`].
    Recall(&'p Member),
    /// Send this request, which has the key, with the caller's body or without one, and wait for the head of the answer: [`Event::Answered`].
    Send {
        /// The request.
        request: Request,
        /// Whether the caller's body goes with it.
        with_body: bool,
    },
    /// Read the whole answer and remember the members in it: [`Event::Member`].
    List(&'p Member),
    /// Read the answer up to its first piece that may pass: [`Event::Read`].
    Open(&'p ApiKey),
    /// Read the whole answer: [`Event::Words`].
    ReadWords,
    /// Give this answer. The end.
    Answer(Response),
    /// Give this answer with the service's body, as it comes. The end.
    Pass(Response),
}

impl<'g> Passage<'g> {
    /// A request with any method, a whole URL and these headers.
    pub fn new(gateway: &'g Gateway, method: &str, url: &str, headers: Headers) -> Passage<'g> {
        Passage {
            gateway,
            operation: gateway.asked_for(method, url),
            decision: gateway.decide(method, url, headers.clone()),
            caller: headers,
            stage: Stage::Authorize,
            key: None,
            rejected: None,
            answered: (0, Headers::new()),
        }
    }

    /// What the sender does first. A preflight is answered whoever asks.
    pub fn first(&self) -> Step<'_> {
        match &self.decision {
            Decision::Preflight(response) => Step::Answer(response.clone()),
            _ => Step::Authorize {
                operation: self.operation.map_or("unknown", Asked::name),
                limit: self.gateway.authorize_timeout,
            },
        }
    }

    /// What the sender does after the last step ended like this.
    pub fn next(&mut self, event: Event) -> Step<'_> {
        match (self.stage, event) {
            (Stage::Authorize, Event::Authorized(true)) => self.authorized(),
            (Stage::Authorize, Event::Authorized(false)) => self.refused(Denial::Unauthorized),
            (Stage::Authorize, Event::Late) => self.refused(Denial::Late),
            (Stage::Body, Event::Read) => self.asks_key(),
            (Stage::Body, Event::TooLong) => self.refused(Denial::TooLarge),
            (Stage::Key, Event::Key(text)) => self.has_key(&text),
            (Stage::Recall | Stage::List, Event::Member(true)) => self.sends(Stage::Send),
            (Stage::Recall, Event::Member(false)) => self.sends(Stage::Lookup),
            (Stage::List, Event::Member(false)) => self.refused(Denial::UnknownMember),
            (Stage::Lookup | Stage::Send, Event::Answered(status, headers)) => {
                self.answered = (status, headers);
                self.judged()
            }
            (Stage::Open, Event::Read) => Step::Pass(self.head()),
            (Stage::Words, Event::Words(words)) => self.said(&words),
            (Stage::Authorize | Stage::Body | Stage::Key, Event::Failed) => {
                self.refused(Denial::Failed)
            }
            _ => self.refused(Denial::Unreachable),
        }
    }

    /// What the sender does after all these, from the first step on.
    pub fn after(&mut self, mut events: Vec<Event>) -> Step<'_> {
        let Some(last) = events.pop() else {
            return self.first();
        };
        for event in events {
            self.next(event);
        }
        self.next(last)
    }

    fn refused(&self, denial: Denial) -> Step<'_> {
        Step::Answer(self.gateway.refuse(&denial, &self.caller))
    }

    fn authorized(&mut self) -> Step<'_> {
        self.stage = Stage::Body;
        match &self.decision {
            Decision::Preflight(response) | Decision::Refusal(response) => {
                Step::Answer(response.clone())
            }
            Decision::Admission(_) => Step::ReadBody(MAX_BODY),
        }
    }

    fn asks_key(&mut self) -> Step<'_> {
        self.stage = Stage::Key;
        Step::Key {
            rejected: self.rejected.as_ref(),
        }
    }

    /// The same key as the one that was rejected gets no second answer.
    fn has_key(&mut self, text: &str) -> Step<'_> {
        let Ok(key) = ApiKey::new(text) else {
            return self.refused(Denial::Failed);
        };
        if self.rejected.as_ref() == Some(&key) {
            return self.handed_back();
        }
        self.key = Some(key);
        let member = match &self.decision {
            Decision::Admission(admission) => admission.member.as_ref(),
            _ => None,
        };
        if member.is_none() {
            return self.sends(Stage::Send);
        }
        // What was listed before may be gone by now: good enough to read, not to change anything.
        let reads = self.operation.map(Asked::effect) == Some(Effect::Read);
        match reads {
            true => self.looks(Stage::Recall),
            false => self.sends(Stage::Lookup),
        }
    }

    fn looks(&mut self, stage: Stage) -> Step<'_> {
        self.stage = stage;
        match &self.decision {
            Decision::Admission(admission) => match &admission.member {
                Some(member) if stage == Stage::Recall => Step::Recall(member),
                Some(member) => Step::List(member),
                None => self.refused(Denial::Failed),
            },
            _ => self.refused(Denial::Failed),
        }
    }

    fn sends(&mut self, stage: Stage) -> Step<'_> {
        self.stage = stage;
        let (Decision::Admission(admission), Some(key)) = (&self.decision, &self.key) else {
            return self.refused(Denial::Failed);
        };
        let lookup = admission.member.as_ref().map(|member| &member.lookup);
        let lookup = lookup.filter(|_| stage == Stage::Lookup);
        let mut request = lookup.unwrap_or(&admission.request).clone();
        let authorization = self.gateway.service.authorization(key);
        request.headers.set(headers::AUTHORIZATION, authorization);
        Step::Send {
            request,
            with_body: lookup.is_none(),
        }
    }

    /// After a 401 the key is asked for once more: nothing was done, so any request may be sent again.
    fn judged(&mut self) -> Step<'_> {
        let (status, _) = self.answered;
        if Code::for_status(status) == Code::Authentication && self.rejected.is_none() {
            self.rejected = self.key.take();
            return self.asks_key();
        }
        if !(200..300).contains(&status) {
            return self.handed_back();
        }
        if self.stage == Stage::Lookup {
            return self.looks(Stage::List);
        }
        self.stage = Stage::Open;
        match &self.key {
            Some(key) => Step::Open(key),
            None => self.refused(Denial::Failed),
        }
    }

    /// A failure of the service: its words are read whole, as the key is taken out of them.
    fn handed_back(&mut self) -> Step<'_> {
        let head = self.head();
        if !head.body.is_empty() {
            return Step::Answer(head);
        }
        self.stage = Stage::Words;
        Step::ReadWords
    }

    fn head(&self) -> Response {
        let (status, headers) = &self.answered;
        match self.sent_key() {
            Some(key) => self.gateway.hand_back(&self.caller, *status, headers, key),
            None => self.gateway.refuse(&Denial::Failed, &self.caller),
        }
    }

    /// The key that the last answer was asked with.
    fn sent_key(&self) -> Option<&ApiKey> {
        self.key.as_ref().or(self.rejected.as_ref())
    }

    fn said(&self, words: &str) -> Step<'_> {
        let words = self.sent_key().map(|key| (key, key.redact(words)));
        match words {
            Some((key, words)) if !repeats(key, words.as_bytes()) => {
                let mut response = self.head();
                response.body = words.into_bytes();
                Step::Answer(response)
            }
            _ => self.refused(Denial::Unreachable),
        }
    }
}
