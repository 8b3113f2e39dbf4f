//! What the tests of the program in its folder share.
#![allow(dead_code)]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

/// A folder with the program in `engine`, and `elsewhere`, in which it is started.
pub struct Place {
    pub folder: TempDir,
    /// The folder of the program.
    pub engine: String,
}

impl Place {
    pub fn new() -> Place {
        Place::with_engine_in("engine")
    }

    /// The same, with the program in a folder of another name.
    pub fn with_engine_in(name: &str) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap(), engine: name.to_owned() };
        fs::create_dir(place.path(name)).unwrap();
        fs::create_dir(place.path("elsewhere")).unwrap();
        put_program(&place.program());
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn program(&self) -> PathBuf {
        self.path(&self.engine).join(format!("komadai{}", std::env::consts::EXE_SUFFIX))
    }

    /// The settings: `komadai.ini` beside the program.
    pub fn ini(&self) -> PathBuf {
        self.path(&self.engine).join("komadai.ini")
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(self.program());
        command.current_dir(self.path("elsewhere")).env("KOMADAI_INI", self.ini());
        command
    }
}

/// Puts the program somewhere else, without a second copy where that can be.
pub fn put_program(target: &std::path::Path) {
    if fs::hard_link(env!("CARGO_BIN_EXE_komadai"), target).is_err() {
        fs::copy(env!("CARGO_BIN_EXE_komadai"), target).unwrap();
    }
}
