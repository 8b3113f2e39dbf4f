//! `komadai joseki explore`: a page to walk through a book, for a browser on the same machine.
//!
//! `server` listens and keeps clients apart, `http` reads requests and writes responses, `site` knows what stands
//! where, `view` puts together what is shown of a position. The page itself, in `page`, is part of the program. It
//! draws, and asks for everything else: which moves are legal and what they are called is decided here.

mod http;
mod server;
mod site;
mod view;
mod western;

use std::path::PathBuf;
use std::sync::mpsc;

use clap::Args;

use super::copying::ReadArguments;
use crate::cli::{Failure, name_of, out, tell};
use site::Site;

/// Shows a page on which to walk through a book, for a browser on this machine
///
/// Prints the address of the page when it can be opened, and serves it until Ctrl-C. Nobody else can reach it.
#[derive(Args)]
pub struct Arguments {
    /// The book
    book: PathBuf,
    /// Where to listen; 0 lets the system choose. By default 7776, or the next of ten that is free
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    #[command(flatten)]
    read: ReadArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let book = arguments.read.open(&arguments.book)?;
    let name = name_of(&arguments.book).into_owned();
    let listener = server::listen(arguments.port)?;
    let (stop, stopped) = mpsc::channel();
    ctrlc::set_handler(move || {
        let _ = stop.send(());
    })?;
    let address = listener.local_addr()?;
    server::serve(listener, Site::new(book, name))?;
    out(&format!("http://{address}/\n"))?;
    tell("open this address in a browser; Ctrl-C ends");
    // The threads of the server end with the process.
    Ok(stopped.recv()?)
}
