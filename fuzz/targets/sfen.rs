//! Positions as text: what is one is written and read again the same, and its moves can be made and taken back.
#![no_main]

use komadai::kyokumen::Kyokumen;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(mut kyokumen) = Kyokumen::from_sfen(text) else { return };
    let sfen = kyokumen.to_sfen();
    assert_eq!(Kyokumen::from_sfen(&sfen).unwrap().to_sfen(), sfen);
    if let Some(packed) = kyokumen.pack() {
        let again = packed.unpack().unwrap();
        assert_eq!(again.to_sfen_without_ply(), kyokumen.to_sfen_without_ply());
    }
    for &te in &kyokumen.legal_te() {
        assert!(kyokumen.is_legal(te));
        let change = kyokumen.do_te(te);
        kyokumen.undo_te(&change);
    }
    assert_eq!(kyokumen.to_sfen(), sfen);
});
