//! As much of HTTP/1.1 as the page needs: GET and HEAD, one request a connection.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// A client has so much time for its request, and for taking the response.
const PATIENCE: Duration = Duration::from_secs(10);

/// Requests of this many bytes and more are refused; a game of 1000 moves in an address takes some 6000.
const MAX_HEAD: usize = 32 << 10;
const MAX_HEADERS: usize = 100;

/// What is asked for.
#[derive(Debug)]
pub struct Request {
    /// As it was sent, with its leading slash; the names that are served need no decoding.
    pub path: String,
    /// What stands behind the question mark, decoded.
    pub query: Vec<(String, String)>,
    head_only: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Status {
    Ok,
    Bad,
    Forbidden,
    Missing,
    Method,
    Long,
}

pub struct Response {
    status: Status,
    /// The type of the content.
    kind: &'static str,
    body: Cow<'static, [u8]>,
}

impl Request {
    /// The first value of a parameter, empty where there is none.
    pub fn parameter(&self, name: &str) -> &str {
        self.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }
}

impl Response {
    pub fn new(status: Status, kind: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Response {
        Response { status, kind, body: body.into() }
    }

    /// One line for people.
    pub fn text(status: Status, line: &str) -> Response {
        Response::new(status, "text/plain; charset=utf-8", format!("{line}\n").into_bytes())
    }

    fn send(&self, stream: &mut TcpStream, head_only: bool) -> io::Result<()> {
        stream.set_write_timeout(Some(PATIENCE))?;
        let (status, kind, length) = (self.status.line(), self.kind, self.body.len());
        let allow = if self.status == Status::Method { "Allow: GET, HEAD\r\n" } else { "" };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{allow}{SAFETY}\
             Cache-Control: no-store\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes())?;
        if !head_only {
            stream.write_all(&self.body)?;
        }
        stream.shutdown(Shutdown::Write)
    }
}

/// The page may load nothing but its own files, none of them written into the page, and no other page may use it.
const SAFETY: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
    X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n";

impl Status {
    const fn line(self) -> &'static str {
        match self {
            Status::Ok => "200 OK",
            Status::Bad => "400 Bad Request",
            Status::Forbidden => "403 Forbidden",
            Status::Missing => "404 Not Found",
            Status::Method => "405 Method Not Allowed",
            Status::Long => "431 Request Header Fields Too Large",
        }
    }
}

/// Reads a request and sends what `respond` has for it, or says what is wrong with the request.
pub fn answer(mut stream: TcpStream, respond: impl FnOnce(&Request) -> Response) -> io::Result<()> {
    let head = match read_head(&mut stream)? {
        Ok(head) => head,
        Err(status) => return refuse(stream, &Response::text(status, "the request is cut off, or too long")),
    };
    match parse(&head) {
        Ok(request) => respond(&request).send(&mut stream, request.head_only),
        Err(response) => refuse(stream, &response),
    }
}

/// Answers a client whose request was not read to its end. To close the connection on unread bytes would take the
/// answer away from it, so they are taken from it for a moment.
fn refuse(mut stream: TcpStream, response: &Response) -> io::Result<()> {
    response.send(&mut stream, false)?;
    let (deadline, mut bytes) = (Instant::now() + Duration::from_secs(1), [0; 4096]);
    while let Some(left) = time_until(deadline) {
        stream.set_read_timeout(Some(left))?;
        if stream.read(&mut bytes)? == 0 {
            break;
        }
    }
    Ok(())
}

fn time_until(deadline: Instant) -> Option<Duration> {
    deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
}

/// Reads to the blank line behind the headers, or says what is wrong with them. Who is too slow gets no answer:
/// browsers open connections in store, and nobody waits for one there.
fn read_head(stream: &mut TcpStream) -> io::Result<Result<Vec<u8>, Status>> {
    let deadline = Instant::now() + PATIENCE;
    let (mut head, mut bytes) = (Vec::new(), [0; 4096]);
    loop {
        stream.set_read_timeout(Some(time_until(deadline).ok_or(ErrorKind::TimedOut)?))?;
        match stream.read(&mut bytes) {
            Ok(0) => return Ok(Err(Status::Bad)),
            Ok(number) => head.extend_from_slice(&bytes[..number]),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        }
        if memchr::memmem::find(&head, b"\r\n\r\n").is_some() {
            return Ok(Ok(head));
        }
        if head.len() >= MAX_HEAD {
            return Ok(Err(Status::Long));
        }
    }
}

fn parse(head: &[u8]) -> Result<Request, Response> {
    let bad = |what: &str| Response::text(Status::Bad, what);
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(head) {
        Ok(httparse::Status::Complete(_)) => {}
        Err(httparse::Error::TooManyHeaders) => return Err(Response::text(Status::Long, "too many headers")),
        Ok(httparse::Status::Partial) | Err(_) => return Err(bad("this is no request of HTTP")),
    }
    let mut hosts = parsed.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("Host"));
    match (hosts.next(), hosts.next()) {
        (Some(host), None) if is_loopback(host.value) => {}
        (Some(_), None) => return Err(Response::text(Status::Forbidden, "this page is for 127.0.0.1 and localhost")),
        _ => return Err(bad("a request names one host")),
    }
    let head_only = match parsed.method {
        Some("GET") => false,
        Some("HEAD") => true,
        _ => return Err(Response::text(Status::Method, "only GET and HEAD")),
    };
    let target = parsed.path.filter(|target| target.starts_with('/')).ok_or_else(|| bad("the target is no path"))?;
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    Ok(Request { path: path.to_owned(), query, head_only })
}

/// Whether the name by which the client found this host is one of this machine to itself. Any other may be a name of a
/// foreign page that was made to lead here, so that it could read the book.
fn is_loopback(host: &[u8]) -> bool {
    let host = host.to_ascii_lowercase();
    let is_port = |port: &[u8]| matches!(port, [b':', digits @ ..] if digits.iter().all(u8::is_ascii_digit));
    [&b"localhost"[..], b"127.0.0.1", b"[::1]"]
        .iter()
        .any(|name| host.strip_prefix(*name).is_some_and(|rest| rest.is_empty() || is_port(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_the_machine_itself_are_loopback() {
        for host in ["localhost", "LocalHost:80", "127.0.0.1:7776", "127.0.0.1", "[::1]:1", "[::1]"] {
            assert!(is_loopback(host.as_bytes()), "{host}");
        }
        for host in ["", "example.org", "localhost.example.org", "127.0.0.1.nip.io:7776", "127.0.0.2", "localhost:80.x"]
        {
            assert!(!is_loopback(host.as_bytes()), "{host}");
        }
    }

    #[test]
    fn a_query_is_decoded() {
        let request = parse(b"GET /a%20b?sfen=l%2Fn+%2Bp%20b&moves=&x=%ff HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let request = request.unwrap_or_else(|response| panic!("{}", response.status.line()));
        assert_eq!((request.path.as_str(), request.parameter("sfen")), ("/a%20b", "l/n +p b"));
        assert_eq!((request.parameter("moves"), request.parameter("x"), request.parameter("y")), ("", "\u{fffd}", ""));
    }
}
