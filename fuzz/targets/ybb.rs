//! Books of the format `ybb`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| komadai_fuzz::use_book(bytes, "ybb"));
