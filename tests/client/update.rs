//! Updates of the policy: conflicts, and what is not written. Must not live here: single reads and writes (`tests/api`).

use tailnet_kit::Code;
use tailnet_kit::api::{Headers, Kind, Request, Response, TailnetName, headers};
use tailnet_kit::client::{CallOptions, Client, Error, UpdateError};

use crate::script::{Answer, Script, broken, options, run, status};

fn policy(text: &str, etag: Option<&str>) -> Answer {
    let mut response = Response::with_body(200, headers::HUJSON, text.as_bytes().to_vec());
    if let Some(etag) = etag {
        response.headers.set(headers::ETAG, etag);
    }
    Ok(response)
}

type Edited = Result<String, UpdateError<Error<Script>, &'static str>>;

/// An update over these answers: its result, and the requests sent.
fn update(
    answers: Vec<Answer>,
    mut edit: impl FnMut(String) -> Result<String, &'static str>,
) -> (Edited, Script) {
    let tailnet = TailnetName::new("example.com").expect("a name");
    let call = CallOptions::default();
    let update = async |client: &Client<Script>| {
        client
            .update_acl(&tailnet, 3, &call, async |text| edit(text))
            .await
    };
    let (updated, script) = run(options(), answers, update);
    (updated.map(|document| document.text), script)
}

fn condition(request: &Request) -> Option<&str> {
    Headers::get(&request.headers, headers::IF_MATCH)
}

#[test]
fn an_update_starts_over_on_a_conflict() {
    let answers = vec![
        policy("{} // one\n", Some("\"1\"")),
        status(412),
        policy("{} // two\n", Some("\"2\"")),
        status(409),
        policy("{} // three\n", Some("\"3\"")),
        policy("done", Some("\"4\"")),
    ];
    let (result, script) = update(answers, |text| Ok(format!("{text}// edited\n")));
    assert_eq!(result.expect("a write"), "done");
    let requests = script.requests.borrow();
    let conditions: Vec<_> = requests.iter().map(condition).collect();
    assert_eq!(
        conditions,
        [
            None,
            Some("\"1\""),
            None,
            Some("\"2\""),
            None,
            Some("\"3\"")
        ]
    );
    assert_eq!(requests[5].body, b"{} // three\n// edited\n");
}

#[test]
fn an_update_gives_up_with_the_last_conflict() {
    let round = || [policy("{}", Some("\"1\"")), status(412)];
    let answers = (0..3).flat_map(|_| round()).collect();
    let (result, _) = update(answers, Ok);
    let Err(UpdateError::Call(error)) = result else {
        panic!("no error")
    };
    assert_eq!(
        (error.code(), error.status()),
        (Code::PreconditionFailed, Some(412))
    );
    assert!(matches!(error.kind, Kind::Conflict(last) if last.status() == Some(412)));
}

#[test]
fn an_update_that_cannot_be_safe_writes_nothing() {
    let (result, _) = update(vec![policy("{}", Some("\"1\""))], |_| Err("no"));
    assert!(matches!(result, Err(UpdateError::Edit("no"))));

    for etag in [None, Some(""), Some("  ")] {
        let (result, _) = update(vec![policy("{}", etag)], |_| panic!("not asked"));
        let Err(UpdateError::Call(error)) = result else {
            panic!("no error")
        };
        assert_eq!(error.code(), Code::EtagUnavailable);
    }

    let mut latin1 = Response::with_body(200, headers::HUJSON, vec![b'{', 0xFC, b'}']);
    latin1.headers.set(headers::ETAG, "\"1\"");
    let (result, _) = update(vec![Ok(latin1)], |_| panic!("not asked"));
    let Err(UpdateError::Call(error)) = result else {
        panic!("no error")
    };
    assert_eq!(error.code(), Code::MalformedResponse);

    // A write whose answer is lost may have been made, so it is not repeated.
    let (result, _) = update(vec![policy("{}", Some("\"1\"")), broken()], Ok);
    let Err(UpdateError::Call(error)) = result else {
        panic!("no error")
    };
    assert_eq!(error.code(), Code::Connection);
}
