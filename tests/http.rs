//! `reqwest` as the client's transport, against a server on loopback that answers with the sandbox. Must not live here: what the client does with answers.
#![cfg(not(target_arch = "wasm32"))]

use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use tailnet_kit::api::{
    ApiKey, GetNameservers, Headers, Interrupted, Limits, Method, Request, Response, TailnetName,
    Transport,
};
use tailnet_kit::client::http::Http;
use tailnet_kit::client::{CallOptions, Client, Options};
use tailnet_kit::sandbox::Sandbox;

/// Runs it to its end.
fn run<T>(task: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().expect("a runtime");
    runtime.block_on(task)
}

/// A server whose answers these are, by its base URL. It serves one connection after the other, and each for one request.
fn serving(mut answer: impl FnMut(Request) -> Option<Response> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let request = received(&stream);
            match answer(request) {
                Some(response) => sent(&mut stream, &response),
                // Long enough for every limit here.
                None => thread::sleep(Duration::from_secs(5)),
            }
        }
    });
    format!("http://{address}")
}

fn received(stream: &TcpStream) -> Request {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).expect("a first line");
    let mut words = line.split(' ');
    let method = Method::parse(words.next().expect("a method")).expect("a known method");
    let mut request = Request::new(method, words.next().expect("a target"));
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a field");
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        request.headers.append(name, value.trim());
    }
    let length = request.headers.get("content-length").unwrap_or("0");
    request.body = vec![0; length.parse().expect("a length")];
    reader.read_exact(&mut request.body).expect("a body");
    request
}

fn sent(stream: &mut TcpStream, response: &Response) {
    let mut head = format!("HTTP/1.1 {} Said\r\nconnection: close\r\n", response.status);
    for (name, value) in response.headers.iter() {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("content-length: {}\r\n\r\n", response.body.len());
    // A client that has read enough is gone.
    drop(stream.write_all(head.as_bytes()));
    drop(stream.write_all(&response.body));
}

fn limits(milliseconds: u64, max_bytes: u64) -> Limits {
    Limits {
        timeout: Some(Duration::from_millis(milliseconds)),
        max_bytes,
    }
}

fn asked(base: &str, limits: Limits) -> Result<Response, Interrupted<reqwest::Error>> {
    let request = Request::new(Method::Get, format!("{base}/api/v2/x?y=1"));
    let http = Http::new().expect("a transport");
    run(http.send(request, limits))
}

#[test]
fn a_client_calls_the_service() {
    let mut sandbox = Sandbox::new(tailnet_kit::sandbox::Options::default(), 0).expect("a sandbox");
    let base = serving(move |request| Some(sandbox.handle(&request, 0)));
    let mut options = Options::new(&base).expect("a base");
    options.api_key = Some(ApiKey::new("tskey-sandbox").expect("a key"));
    options.tailnet = Some(TailnetName::new("example.com").expect("a name"));
    let client = Client::new(Http::new().expect("a transport"), options);
    let tailnet = client.tailnet(&CallOptions::default()).expect("a tailnet");
    let call = GetNameservers { tailnet };
    let answer = run(client.call(&call, &CallOptions::default()));
    assert!(answer.is_ok(), "{answer:?}");
}

#[test]
fn what_is_sent_and_answered_is_passed_on_as_it_is() {
    let base = serving(|request| {
        assert_eq!(
            (request.method, request.target.as_str()),
            (Method::Get, "/api/v2/x?y=1")
        );
        let mut headers = Headers::new();
        headers.append("x-one", "a");
        headers.append("x-one", "b");
        Some(Response {
            status: 418,
            headers,
            body: b"short and stout".to_vec(),
        })
    });
    let answer = asked(&base, limits(5_000, 100)).expect("an answer");
    assert_eq!(
        (answer.status, answer.body.as_slice()),
        (418, b"short and stout".as_slice())
    );
    let values: Vec<&str> = answer
        .headers
        .iter()
        .filter(|(name, _)| *name == "x-one")
        .map(|(_, value)| value)
        .collect();
    assert_eq!(values, ["a", "b"]);
}

#[test]
fn a_redirect_is_left_to_the_client() {
    let base = serving(|_| {
        let mut headers = Headers::new();
        headers.set("location", "http://127.0.0.1:1/elsewhere");
        Some(Response {
            status: 302,
            headers,
            body: Vec::new(),
        })
    });
    assert_eq!(
        asked(&base, limits(5_000, 100)).expect("an answer").status,
        302
    );
}

#[test]
fn limits_are_kept() {
    let silent = serving(|_| None);
    assert!(matches!(
        asked(&silent, limits(200, 100)),
        Err(Interrupted::Timeout)
    ));
    let long = serving(|_| {
        Some(Response {
            status: 200,
            headers: Headers::new(),
            body: vec![b'a'; 101],
        })
    });
    assert!(matches!(
        asked(&long, limits(5_000, 100)),
        Err(Interrupted::TooLarge { status: 200 })
    ));
    assert_eq!(
        asked(&long, limits(5_000, 101))
            .expect("an answer")
            .body
            .len(),
        101
    );
}

#[test]
fn a_server_that_is_not_there_is_a_failed_connection_that_names_no_address() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    match asked(&base, limits(5_000, 100)) {
        Err(Interrupted::Connection {
            cause,
            status: None,
        }) => assert!(!cause.to_string().contains("/api/v2"), "{cause}"),
        other => panic!("{other:?}"),
    }
}
