//! Files of nets: none makes the reader panic, and what it takes has a value for every position.
#![no_main]

use komadai::hyoka::{Hyoka, Nnue};
use komadai::kyokumen::Kyokumen;

/// Of all that comes after the description, in a file of K-P.
const BYTES: usize = (4 + 512 * 1711) + (4 + 32 * (4 + 512) + 32 * (4 + 32) + (4 + 32));
const FEATURES: u32 = 0x3F57_15FF;
const LAYERS: u32 = 0x6333_7156;

fn use_file(bytes: &[u8]) {
    match Nnue::read(bytes, bytes.len() as u64) {
        Ok(mut nnue) => {
            let kyokumen = Kyokumen::hirate();
            nnue.reset(&kyokumen);
            assert!(nnue.value(&kyokumen).abs() < 30_000);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    use_file(bytes);
    // As changes to a file without a description and with zeros for all numbers: what is cut off, then what is changed
    // from the beginning on, and at the end.
    let Some((&[cut, ends], changes)) = bytes.split_first_chunk::<2>() else { return };
    let mut file = vec![0; 12 + BYTES];
    let layers = file.len() - BYTES + 4 + 512 * 1711;
    for (at, word) in [(0, 0x7AF3_2F16), (4, FEATURES ^ LAYERS), (12, FEATURES), (layers, LAYERS)] {
        file[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    let (front, back) = changes.split_at(changes.len().min(ends.into()));
    file.iter_mut().zip(front).for_each(|(byte, change)| *byte ^= change);
    file.iter_mut().rev().zip(back).for_each(|(byte, change)| *byte ^= change);
    file.truncate(file.len() - usize::from(cut));
    use_file(&file);
});
