//! Nets from files: what damaged ones come to, and what a session does with the option `EvalFile`.

mod nnue_support;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, PipeWriter, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use komadai::hyoka::{Centipawn, Hyoka, Learned, Nnue, NnueError};
use komadai::kyokumen::{Kyokumen, Te};
use komadai::settings::Settings;
use komadai::sikou::{Answer, Sikou, Tansaku, Task};
use komadai::usi::{self, Identity};
use nnue_support::{KP, Kind, Spread, file, slow_output};

fn read(bytes: &[u8]) -> Result<Nnue, NnueError> {
    Nnue::read(bytes, bytes.len() as u64)
}

fn with(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

#[test]
fn a_file_cut_off_anywhere_or_with_more_behind_is_refused() {
    let whole = file(Kind::Kp, 1, Spread::Usual);
    assert!(read(&whole).is_ok());
    let cuts = (0..300).chain((300..whole.len()).step_by(100_003)).chain(whole.len() - 100..whole.len());
    for cut in cuts {
        let error = read(&whole[..cut]).unwrap_err();
        assert!(matches!(error, NnueError::Short | NnueError::Length { .. }), "{cut}: {error}");
        // A file that is cut off while it is being read.
        let error = Nnue::read(&whole[..cut], whole.len() as u64).unwrap_err();
        assert!(matches!(error, NnueError::Short), "{cut}: {error}");
    }
    let longer = [whole, vec![0]].concat();
    assert!(matches!(read(&longer), Err(NnueError::Length { expected, found, .. }) if found == expected + 1));
}

#[test]
fn a_bit_changed_in_the_head_is_found_unless_it_is_in_the_description() {
    let whole = file(Kind::Kp, 1, Spread::Usual);
    let description = 12..12 + KP.len();
    for at in 0..description.end + 4 {
        for bit in 0..8 {
            let result = read(&with(&whole, at, &[whole[at] ^ 1 << bit]));
            let expected = match (&result, at) {
                (Err(NnueError::Version(_)), 0..4) => true,
                (Err(NnueError::Architecture { .. }), 4..8) => true,
                (Err(NnueError::Length { .. } | NnueError::Description(_)), 8..12) => true,
                (Ok(_), _) => description.contains(&at),
                (Err(NnueError::Hash { part: "features", .. }), _) => at >= description.end,
                _ => false,
            };
            assert!(expected, "byte {at}, bit {bit}: {result:?}");
        }
    }
    let layers = whole.len() - (4 + 32 * 4 + 32 * 512 + 32 * 4 + 32 * 32 + 4 + 32);
    for at in layers..layers + 4 {
        let result = read(&with(&whole, at, &[whole[at] ^ 1]));
        assert!(matches!(result, Err(NnueError::Hash { part: "layers", .. })), "{result:?}");
    }
}

#[test]
fn numbers_changed_at_random_are_as_good_as_others() {
    let whole = file(Kind::Kp, 1, Spread::Extreme);
    let kyokumen = Kyokumen::hirate();
    for at in (12 + KP.len() + 4..whole.len()).step_by(50_021) {
        let changed = with(&whole, at, &[whole[at] ^ 0x80]);
        let Ok(mut nnue) = read(&changed) else { panic!("{at}") };
        nnue.reset(&kyokumen);
        let expected = i64::from(slow_output(Kind::Kp, &changed, &kyokumen.to_sfen())) * 100 / 1440;
        assert_eq!(i64::from(nnue.value(&kyokumen)), expected.clamp(-29_000, 29_000), "{at}");
    }
}

#[test]
fn errors_say_what_is_wrong_and_what_is_supported() {
    let whole = file(Kind::Kp, 1, Spread::Usual);
    let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert_eq!(error(b"lnsgkgsnl"), "it is no NNUE file: it begins with 0x67736e6c, not with 0x7af32f16");
    assert_eq!(error(&whole[..11]), "it is cut off");
    let other = error(&with(&whole, 4, &[0x44, 0x33, 0x22, 0x11]));
    assert!(other.starts_with("its architecture (0x11223344, \"Features=K+P[1710->256x2],Network="), "{other}");
    assert!(other.ends_with("HalfKP 256x2-32-32 and K-P 256x2-32-32 are"), "{other}");
    // A net for chess that is marked as HalfKP for shogi is.
    let chess = error(&with(&whole, 4, &0x3E5A_A6EE_u32.to_le_bytes()));
    let (found, expected) = (whole.len(), 64_217_066 - 178 + KP.len());
    assert!(chess.starts_with(&format!("it has {found} bytes, but one of HalfKP 256x2-32-32")), "{chess}");
    assert!(chess.contains(&format!(" has {expected};")), "{chess}");
    let endless = with(&whole, 8, &[0xff; 4]);
    assert_eq!(error(&endless), "its description has 4294967295 bytes, more than 4096");
    let hash = error(&with(&whole, 12 + KP.len(), &[0; 4]));
    assert_eq!(hash, "the hash of its features is 0x00000000, not 0x3f5715ff");
}

#[test]
fn what_is_no_file_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Nnue::open(folder.path()), Err(NnueError::NoFile)));
    assert!(matches!(Nnue::open(folder.path().join("nn.bin")), Err(NnueError::Io(_))));
}

/// Only a session that hangs waits as long as this.
const HANGS: Duration = Duration::from_secs(60);

/// An engine in this process, and its streams.
struct Session {
    input: PipeWriter,
    lines: Receiver<String>,
    thread: JoinHandle<io::Result<()>>,
    remarks: Vec<String>,
}

impl Session {
    fn start(engine: impl Sikou + 'static) -> Session {
        let (from_here, input) = io::pipe().unwrap();
        let (from_engine, output) = io::pipe().unwrap();
        let identity = Identity::new("Komadai", "the Komadai authors");
        let thread = thread::spawn(move || usi::serve(identity, engine, Settings::default(), from_here, output));
        let (to_here, lines) = channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(from_engine).lines();
            lines.try_for_each(|line| line.ok().and_then(|line| to_here.send(line).ok()))
        });
        let mut session = Session { input, lines, thread, remarks: Vec::new() };
        session.tell("setoption name UseBook value false");
        session.tell("setoption name USI_Hash value 1");
        session
    }

    fn tell(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// The next line that begins with a word.
    fn expect(&mut self, word: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(HANGS).unwrap_or_else(|error| panic!("no {word}: {error}"));
            match line.strip_prefix("info string ") {
                Some(remark) => self.remarks.push(remark.to_owned()),
                None if line.split(' ').next() == Some(word) => return line,
                None => assert!(line.starts_with("info "), "{line} before {word}"),
            }
        }
    }

    /// Chooses a file and waits for readiness; returns what was remarked.
    fn choose(&mut self, file: &str) -> Vec<String> {
        self.tell(&format!("setoption name EvalFile value {file}"));
        self.get_ready()
    }

    fn get_ready(&mut self) -> Vec<String> {
        self.tell("isready");
        self.expect("readyok");
        std::mem::take(&mut self.remarks)
    }

    fn value(&mut self) -> Centipawn {
        self.tell("eval");
        self.expect("eval").split(' ').nth(1).unwrap().parse().unwrap()
    }

    fn end(mut self) {
        self.tell("quit");
        assert_eq!(self.lines.recv_timeout(HANGS).ok(), None);
        self.thread.join().unwrap().unwrap();
    }
}

const SFEN: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

fn value_of(mut hyoka: impl Hyoka) -> Centipawn {
    let kyokumen = Kyokumen::from_sfen(SFEN).unwrap();
    hyoka.reset(&kyokumen);
    hyoka.value(&kyokumen)
}

/// Writes a net whose file has changed at this second.
fn write(path: &Path, bytes: &[u8], second: u64) {
    fs::write(path, bytes).unwrap();
    let changed = SystemTime::UNIX_EPOCH + Duration::from_secs(1_600_000_000 + second);
    File::options().write(true).open(path).unwrap().set_modified(changed).unwrap();
}

#[test]
fn a_session_plays_by_the_net_that_it_is_given_and_opens_it_anew_only_when_it_has_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my nn.bin");
    let name = path.to_str().unwrap();
    let [first, second] = [1, 2].map(|seed| file(Kind::Kp, seed, Spread::Usual));
    let [first_value, second_value] = [&first, &second].map(|bytes| value_of(read(bytes).unwrap()));
    let own = value_of(Learned::default());
    assert!(own != first_value && first_value != second_value && second_value != own);
    write(&path, &first, 1);

    let mut session = Session::start(Tansaku::default());
    session.tell(&format!("position sfen {SFEN}"));
    assert_eq!(session.get_ready(), [""; 0]);
    assert_eq!(session.value(), own);
    let told = [format!("EvalFile: playing by {path:?}, K-P 256x2-32-32")];
    assert_eq!(session.choose(name), told);
    assert_eq!(session.value(), first_value);
    assert_eq!(session.get_ready(), [""; 0], "as it was");
    write(&path, &second, 1);
    assert_eq!(session.get_ready(), [""; 0], "as far as time and length tell");
    assert_eq!(session.value(), first_value);
    write(&path, &second, 2);
    assert_eq!(session.get_ready(), told);
    assert_eq!(session.value(), second_value);
    // Without a new `isready`, as some GUIs do it.
    session.tell("setoption name EvalFile value <empty>");
    session.tell("go nodes 100");
    session.expect("bestmove");
    assert_eq!(session.value(), own);
    session.end();
}

#[test]
fn a_session_without_a_good_file_says_so_and_plays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nn.bin");
    let name = path.to_str().unwrap();
    let good = file(Kind::Kp, 1, Spread::Usual);
    let own = value_of(Learned::default());
    let mut session = Session::start(Tansaku::default());
    session.tell(&format!("position sfen {SFEN}"));

    let remarks = session.choose(name);
    assert!(remarks.len() == 1 && remarks[0].starts_with("EvalFile: "), "{remarks:?}");
    assert!(remarks[0].contains("is not used: it can't be read: "), "{remarks:?}");
    assert_eq!(session.get_ready(), remarks, "tried again");
    write(&path, &good, 1);
    assert_eq!(session.get_ready().len(), 1);
    assert_ne!(session.value(), own);
    write(&path, &good[..1000], 2);
    let remarks = session.get_ready();
    assert!(remarks.len() == 1 && remarks[0].contains("is not used: it has 1000 bytes, but "), "{remarks:?}");
    assert_eq!(session.value(), own);
    session.tell("go nodes 100");
    session.expect("bestmove");
    session.end();
}

#[test]
fn several_threads_search_with_one_net() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nn.bin");
    fs::write(&path, file(Kind::Kp, 3, Spread::Usual)).unwrap();
    let mut session = Session::start(Tansaku::default());
    session.tell("setoption name Threads value 3");
    session.choose(path.to_str().unwrap());
    let kyokumen = Kyokumen::from_sfen(SFEN).unwrap();
    for threads in [3, 1, 2] {
        session.tell(&format!("setoption name Threads value {threads}"));
        session.tell(&format!("position sfen {SFEN}"));
        session.tell("go nodes 3000");
        let answer = session.expect("bestmove");
        let te: Te = answer.split(' ').nth(1).unwrap().parse().unwrap();
        assert!(kyokumen.is_legal(te), "{answer}");
    }
    session.end();
}

#[test]
fn an_engine_that_has_no_use_for_a_net_says_so_once() {
    struct First;

    impl Sikou for First {
        fn think(&mut self, task: &mut Task<'_>) -> Answer {
            task.kyokumen.legal_te().first().copied().into()
        }
    }

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nn.bin");
    fs::write(&path, file(Kind::Kp, 3, Spread::Usual)).unwrap();
    let mut session = Session::start(First);
    assert_eq!(session.choose(path.to_str().unwrap()), ["EvalFile: this engine has no use for it"]);
    assert_eq!(session.get_ready(), [""; 0]);
    session.end();
}
