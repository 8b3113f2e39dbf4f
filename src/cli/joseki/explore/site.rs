//! What stands where: the files of the page, and what it asks for.

use serde_json::{Value, json};

use komadai::joseki::Joseki;

use super::http::{Request, Response, Status};
use super::view;
use crate::cli::{one_line, tell};

/// The files of the page: where they stand, their types and contents.
const FILES: [(&str, &str, &str); 11] = [
    ("/", "text/html; charset=utf-8", include_str!("page/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("page/style.css")),
    ("/board.css", "text/css; charset=utf-8", include_str!("page/board.css")),
    ("/main.js", SCRIPT, include_str!("page/main.js")),
    ("/board.js", SCRIPT, include_str!("page/board.js")),
    ("/kyokumen.js", SCRIPT, include_str!("page/kyokumen.js")),
    ("/moves.js", SCRIPT, include_str!("page/moves.js")),
    ("/paint.js", SCRIPT, include_str!("page/paint.js")),
    ("/place.js", SCRIPT, include_str!("page/place.js")),
    ("/words.js", SCRIPT, include_str!("page/words.js")),
    ("/icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
];
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The page of a book.
pub struct Site {
    book: Joseki,
    name: String,
}

impl Site {
    pub fn new(book: Joseki, name: String) -> Site {
        Site { book, name }
    }

    pub fn respond(&self, request: &Request) -> Response {
        if let Some((_, kind, content)) = FILES.iter().find(|(path, _, _)| *path == request.path) {
            return Response::new(Status::Ok, kind, content.as_bytes());
        }
        match request.path.as_str() {
            "/api/book" => json_response(Status::Ok, &self.about()),
            "/api/position" => self.position(request),
            _ => Response::text(Status::Missing, "there is no such page"),
        }
    }

    fn about(&self) -> Value {
        json!({
            "name": self.name,
            "format": self.book.format().name(),
            "bytes": self.book.size(),
            "provenance": self.book.provenance(),
            "program": concat!("Komadai ", env!("CARGO_PKG_VERSION")),
        })
    }

    fn position(&self, request: &Request) -> Response {
        let shown = view::show(&self.book, request.parameter("sfen"), request.parameter("moves"));
        for warning in self.book.late_warnings() {
            tell(&format!("{}: {warning}", one_line(&self.name)));
        }
        match shown {
            Ok(shown) => json_response(Status::Ok, &shown),
            Err(failure) => json_response(Status::Bad, &json!({ "error": failure.to_string() })),
        }
    }
}

fn json_response(status: Status, value: &Value) -> Response {
    Response::new(status, "application/json", value.to_string().into_bytes())
}
