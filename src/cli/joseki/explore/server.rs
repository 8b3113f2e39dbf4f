//! Listening on the loopback interface, a thread for each client.

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use super::http;
use super::site::Site;
use crate::cli::Failure;

/// Where the page is by default, and how many ports are tried from there.
const PORT: u16 = 7776;
const PORTS: u16 = 10;

/// So many clients are served at once; a browser uses about six connections.
const CLIENTS: usize = 256;

/// Listens on the port that was asked for, or on the first free one of the usual ones.
pub fn listen(port: Option<u16>) -> Result<TcpListener, Failure> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    if let Some(port) = port {
        return bind(port).map_err(|error| format!("can't listen on port {port}: {error}").into());
    }
    let last = PORT + PORTS - 1;
    let free = (PORT..=last).find_map(|port| bind(port).ok());
    free.ok_or_else(|| format!("can't listen on any port from {PORT} to {last}: name another by --port").into())
}

/// Serves the site from now on, in threads of its own.
pub fn serve(listener: TcpListener, site: Site) -> io::Result<()> {
    let (site, clients) = (Arc::new(site), Arc::new(AtomicUsize::new(0)));
    thread::Builder::new().name("listener".into()).spawn(move || {
        for stream in listener.incoming() {
            match stream {
                Ok(stream) => welcome(stream, &site, &clients),
                // Too many open files, most likely: that passes.
                Err(_) => thread::sleep(Duration::from_millis(50)),
            }
        }
    })?;
    Ok(())
}

/// A client that is being served.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

fn welcome(stream: TcpStream, site: &Arc<Site>, clients: &Arc<AtomicUsize>) {
    let others = clients.fetch_add(1, Relaxed);
    let place = Place(clients.clone());
    // Nobody opens so many connections for good reasons: this one is closed.
    if others >= CLIENTS {
        return;
    }
    let site = site.clone();
    // A client whose thread can't be started, or that is gone before the end, gets nothing; that concerns nobody else.
    let _ = thread::Builder::new().name("client".into()).spawn(move || {
        let _place = place;
        let _ = http::answer(stream, |request| site.respond(request));
    });
}
