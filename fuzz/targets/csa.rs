//! Records in CSA's format.
#![no_main]

use komadai::kifu::RecordFormat;

libfuzzer_sys::fuzz_target!(|text: &str| komadai_fuzz::read_games(text, RecordFormat::Csa));
