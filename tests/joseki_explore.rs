//! The page for walking through a book, as a client without a browser sees it: what is served, and what is refused.
#![cfg(feature = "cli")]

mod joseki_support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Stdio};

use joseki_support::*;
use serde_json::{Value, json};

const TEXT: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 35 22 90
2g2f none 30 22 10
7g7e none none none 3
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d none none none 50
8c8d none none none 60
";

/// A page that is being served, until it is dropped.
struct Page {
    child: Child,
    host: String,
}

struct Response {
    status: u16,
    head: String,
    body: String,
}

impl Page {
    fn serve(workshop: &Workshop, arguments: &[&str]) -> Page {
        let mut command = workshop.command(&["explore"]);
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let host = line.strip_prefix("http://").and_then(|line| line.strip_suffix("/\n"));
        Page { child, host: host.unwrap_or_else(|| panic!("{line:?}")).to_owned() }
    }

    fn of_a_db(workshop: &Workshop) -> Page {
        Page::serve(workshop, &["a.db", "--port", "0"])
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.host).unwrap()
    }

    /// Sends bytes, ends, and reads what comes.
    fn send(&self, bytes: &[u8]) -> Response {
        let mut stream = self.connect();
        // The server may be through with a client before it has sent everything.
        let _ = stream.write_all(bytes).and_then(|()| stream.shutdown(Shutdown::Write));
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text:?}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Response { status: status.unwrap_or_else(|| panic!("{head}")), head: head.to_owned(), body: body.to_owned() }
    }

    fn get(&self, target: &str) -> Response {
        self.send(format!("GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host).as_bytes())
    }

    fn json(&self, target: &str) -> Value {
        let response = self.get(target);
        assert_eq!(response.status, 200, "{target}: {}", response.body);
        serde_json::from_str(&response.body).unwrap()
    }

    /// What is said of a position that can't be shown.
    fn error(&self, target: &str) -> String {
        let response = self.get(target);
        assert_eq!(response.status, 400, "{target}");
        let json: Value = serde_json::from_str(&response.body).unwrap();
        json["error"].as_str().unwrap().to_owned()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn workshop() -> Workshop {
    Workshop::with(TEXT, &[])
}

#[test]
fn the_page_is_served_with_all_files_that_it_names_and_names_no_others() {
    let workshop = workshop();
    let page = Page::of_a_db(&workshop);
    let mut seen = vec!["/".to_owned()];
    let mut next = 0;
    while next < seen.len() {
        let response = page.get(&seen[next]);
        assert_eq!(response.status, 200, "{}", seen[next]);
        let kind = match seen[next].rsplit('.').next().unwrap() {
            "js" => "text/javascript",
            "css" => "text/css",
            "svg" => "image/svg+xml",
            _ => "text/html",
        };
        assert!(response.head.contains(&format!("\r\nContent-Type: {kind}")), "{}", response.head);
        let text = response.body.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !text.contains("http://") && !text.contains("https://") && !text.contains("style=\""),
            "{}",
            seen[next]
        );
        for quoted in text.split(['"', '\'']) {
            let name = quoted.strip_prefix("./").or(quoted.strip_prefix('/')).unwrap_or_default();
            let name = format!("/{name}");
            if [".js", ".css", ".svg"].iter().any(|ending| name.ends_with(ending)) && !seen.contains(&name) {
                seen.push(name);
            }
        }
        next += 1;
    }
    assert!(seen.len() > 8, "{seen:?}");
}

#[test]
fn a_position_has_the_figures_that_probe_has() {
    let workshop = workshop();
    let page = Page::of_a_db(&workshop);
    for (target, position) in [
        ("/api/position", "startpos"),
        ("/api/position?moves=7g7f", "startpos moves 7g7f"),
        ("/api/position?moves=1g1f", "startpos moves 1g1f"),
    ] {
        let shown = page.json(target);
        let (probed, _) = workshop.run(&["probe", "a.db", "--json", position]);
        let probed: Value = serde_json::from_str(&probed).unwrap();
        for (key, value) in probed.as_object().unwrap().iter().filter(|(key, _)| *key != "moves") {
            assert_eq!(&shown[key], value, "{target} {key}");
        }
        let (moves, known) = (shown["moves"].as_array().unwrap(), probed["moves"].as_array().unwrap());
        assert_eq!(moves.len(), known.len(), "{target}");
        for (te, known) in moves.iter().zip(known) {
            // The lines behind moves are of `probe` alone; here one plays the move to see them.
            for (key, value) in known.as_object().unwrap().iter().filter(|(key, _)| !key.starts_with("line")) {
                assert_eq!(&te[key], value, "{target} {key}");
            }
        }
    }
    let start = page.json("/api/position");
    assert_eq!(start["moves"][0]["leads_to"], 2);
    assert_eq!(start["moves"][0]["share"], 90.0);
    assert_eq!((&start["moves"][2]["legal"], &start["moves"][2]["share"]), (&json!(false), &Value::Null));
}

#[test]
fn the_way_to_a_position_and_the_way_on_are_named() {
    let page = Page::of_a_db(&workshop());
    let shown = page.json("/api/position");
    assert_eq!((&shown["start"], &shown["line"], &shown["check"]), (&Value::Null, &json!([]), &json!(false)));
    assert_eq!(shown["legal"].as_array().unwrap().len(), 30);
    let names: Vec<_> = shown["main"].as_array().unwrap().iter().map(|te| &te["usi"]).collect();
    assert_eq!(names, ["7g7f", "8c8d"]);
    let line = json!([
        { "usi": "7g7f", "japanese": "▲７六歩", "english": "P-7f" },
        { "usi": "3c3d", "japanese": "△３四歩", "english": "P-3d" },
    ]);
    for target in ["moves=7g7f+3c3d", "sfen=startpos+moves+7g7f&moves=3c3d", "sfen=position+startpos+moves+7g7f+3c3d"] {
        let shown = page.json(&format!("/api/position?{target}"));
        assert_eq!((&shown["start"], &shown["line"]), (&Value::Null, &line), "{target}");
    }
    let shown = page.json("/api/position?sfen=4k4/9/4R4/9/9/9/9/9/4K4+b+P+7&moves=P*5b");
    assert_eq!(shown["start"], "4k4/9/4R4/9/9/9/9/9/4K4 b P 7");
    assert_eq!((&shown["check"], &shown["line"][0]["english"]), (&json!(true), &json!("P*5b")));
}

#[test]
fn a_position_that_can_t_be_shown_is_named_with_its_fault() {
    let page = Page::of_a_db(&workshop());
    assert_eq!(page.error("/api/position?sfen=nonsense"), "SFEN board: 'o' is no piece, number or '/'");
    assert_eq!(page.error("/api/position?moves=7g7f+7g7f"), "move 2, 7g7f, is illegal");
    assert!(page.error("/api/position?moves=7g7f+x").starts_with("move 2: "));
    assert!(page.error("/api/position?sfen=startpos+7g7f").contains("is no position"));
    assert!(page.error("/api/position?sfen=%FF%00%3Cscript%3E").starts_with("SFEN board"));
    let shown = page.json("/api/position?sfen=9/9/9/9/9/9/9/9/9+b+-+1");
    assert_eq!((&shown["kings"], &shown["moves"]), (&json!(false), &json!([])));
}

#[test]
fn the_book_is_named_as_it_is() {
    let workshop = workshop();
    std::fs::copy(workshop.path("a.db"), workshop.path("定跡 <b>.db")).unwrap();
    let page = Page::serve(&workshop, &["定跡 <b>.db", "--port", "0"]);
    let about = page.json("/api/book");
    assert_eq!((&about["name"], &about["format"]), (&json!("定跡 <b>.db"), &json!("db")));
    assert_eq!((&about["bytes"], &about["provenance"]), (&json!(TEXT.len()), &Value::Null));
}

#[test]
fn what_is_no_proper_request_is_refused() {
    let page = Page::of_a_db(&workshop());
    let long = format!("GET /?{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "x".repeat(40_000));
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}\r\n", "X: y\r\n".repeat(200));
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: localhost:1\r\n\r\n", 200),
        ("GET /?sfen=x HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n", 200),
        ("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", 403),
        ("GET /api/book HTTP/1.1\r\nHost: localhost.example.org\r\n\r\n", 403),
        ("GET / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.0\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc", 405),
        ("DELETE /api/book HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        ("GET http://localhost/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        ("GET /../a.db HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        ("GET /%2e%2e/a.db HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        ("GET //a.db HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        ("GET /main.js/../../mod.rs HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
        ("\x16\x03\x01\x02\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: loc", 400),
        ("", 400),
        (&long, 431),
        (&many, 431),
    ] {
        let response = page.send(request.as_bytes());
        let shown: String = request.chars().take(80).collect();
        assert_eq!(response.status, status, "{shown:?}: {}", response.body);
        assert_eq!(response.head.contains("\r\nAllow: GET, HEAD"), status == 405, "{shown:?}");
    }
}

#[test]
fn every_response_forbids_what_the_page_does_not_need() {
    let page = Page::of_a_db(&workshop());
    for target in ["/", "/main.js", "/api/book", "/api/position?sfen=x", "/nothing"] {
        let head = page.get(target).head;
        let policy = head.lines().find_map(|line| line.strip_prefix("Content-Security-Policy: ")).unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(head.contains("\r\nX-Content-Type-Options: nosniff"), "{head}");
        assert!(head.contains("\r\nCache-Control: no-store"), "{head}");
        assert!(!head.contains("Access-Control"), "{head}");
    }
}

#[test]
fn head_gets_what_get_gets_without_the_body() {
    let page = Page::of_a_db(&workshop());
    for target in ["/", "/api/position"] {
        let get = page.get(target);
        let head = page.send(format!("HEAD {target} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes());
        assert_eq!((head.head, head.body.as_str()), (get.head, ""));
        assert!(!get.body.is_empty());
    }
}

#[test]
fn clients_that_are_slow_keep_nobody_waiting() {
    let page = Page::of_a_db(&workshop());
    let silent: Vec<TcpStream> = (0..100).map(|_| page.connect()).collect();
    let mut slow = page.connect();
    slow.write_all(b"GET / HT").unwrap();
    assert_eq!(page.get("/").status, 200);
    assert_eq!(page.get("/api/position").status, 200);
    slow.write_all(b"TP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut text = String::new();
    slow.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 200 OK"), "{text}");
    drop(silent);
}

#[test]
fn a_port_that_is_taken_is_told_and_the_usual_one_gives_way_to_the_next() {
    let workshop = workshop();
    let page = Page::of_a_db(&workshop);
    let port = page.host.rsplit(':').next().unwrap();
    let output = workshop.command(&["explore", "a.db", "--port", port]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{stderr}");
    assert!(stderr.starts_with(&format!("komadai: can't listen on port {port}: ")), "{stderr}");
    let usual = [Page::serve(&workshop, &["a.db"]), Page::serve(&workshop, &["a.db"])];
    assert!(usual.iter().all(|page| page.host.starts_with("127.0.0.1:77")));
    assert!(usual[0].host != usual[1].host);
}

#[test]
fn what_is_no_book_is_not_served() {
    let workshop = workshop();
    for (arguments, words) in [
        (&["none.db"][..], "can't read the book \"none.db\""),
        (&["a.db", "--root", "nonsense"], "SFEN"),
        (&["a.db", "--root", "9/9/9/9/9/9/9/9/9 b - 1"], "without both kings"),
    ] {
        let output = workshop.command(&["explore"]).args(arguments).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b""[..]), "{stderr}");
        assert!(stderr.contains(words), "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_without_a_complaint() {
    let mut page = Page::of_a_db(&workshop());
    let _silent = page.connect();
    let pid = page.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(page.child.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_book_that_is_replaced_is_served_as_it_was() {
    let workshop = workshop();
    let page = Page::of_a_db(&workshop);
    let before = page.get("/api/position").body;
    std::fs::write(workshop.path("b.db"), TEXT.replace("7g7f 3c3d", "1g1f 3c3d")).unwrap();
    std::fs::rename(workshop.path("b.db"), workshop.path("a.db")).unwrap();
    assert_eq!(page.get("/api/position").body, before);
}
