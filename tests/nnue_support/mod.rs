//! Files of nets with random numbers, and a slow reading of such files that knows nothing of the engine's: it takes the
//! bytes of the file and the SFEN of a position, looks every number up where it lies, and adds up in 64 bits.

/// A kind of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    HalfKp,
    Kp,
    /// K-P with 64 sums instead of 256; no program has such files.
    SmallKp,
}

/// How large the numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// So that neurons are neither all silent nor all saturated.
    Usual,
    /// So large that sums of the first layer wrap round.
    Extreme,
}

pub const HALF_KP: &str = "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](ClippedReLU[32]\
     (AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))";
pub const KP: &str = "Features=K+P[1710->256x2],Network=AffineTransform[1<-32](ClippedReLU[32]\
     (AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))";

impl Kind {
    fn rows(self) -> usize {
        if self == Kind::HalfKp { 81 * 1548 } else { 1548 + 162 }
    }

    fn sums(self) -> usize {
        if self == Kind::SmallKp { 64 } else { 256 }
    }

    fn description(self) -> &'static str {
        match self {
            Kind::HalfKp => HALF_KP,
            Kind::Kp => KP,
            Kind::SmallKp => "",
        }
    }

    /// The marks of features and layers.
    fn hashes(self) -> (u32, u32) {
        match self {
            Kind::HalfKp => (0x5D69_D7B8, 0x6333_7156),
            Kind::Kp => (0x3F57_15FF, 0x6333_7156),
            // As the engine makes them; there is nobody else to ask.
            Kind::SmallKp => (0x3F57_177F, 0x6333_71E6),
        }
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}

/// A whole file. The numbers come from one generator in the order of the file, 16 bits of each draw for the first
/// layer, and else one draw a number.
pub fn file(kind: Kind, seed: u64, spread: Spread) -> Vec<u8> {
    let mut random = Random(seed);
    let mut bytes = Vec::with_capacity(12 + 200 + 512 * (1 + kind.rows()) + 20_000);
    let (description, (features, layers)) = (kind.description(), kind.hashes());
    for word in [0x7AF3_2F16, features ^ layers, description.len() as u32] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(description.as_bytes());
    bytes.extend_from_slice(&features.to_le_bytes());
    for _ in 0..kind.sums() * (1 + kind.rows()) / 4 {
        let mut draw = random.next();
        for _ in 0..4 {
            let number = draw as i16;
            // -16 to 15.
            let number = if spread == Spread::Usual { number >> 11 } else { number };
            bytes.extend_from_slice(&number.to_le_bytes());
            draw >>= 16;
        }
    }
    bytes.extend_from_slice(&layers.to_le_bytes());
    // For each layer its outputs and inputs, and by how many bits numbers are smaller than they could be: what the sums
    // begin with, and the weights.
    let inputs = 2 * kind.sums();
    let layers = match spread {
        Spread::Usual => [(32, inputs, 20, 4), (32, 32, 20, 2), (1, 32, 20, 1)],
        Spread::Extreme => [(32, inputs, 9, 0), (32, 32, 13, 0), (1, 32, 0, 0)],
    };
    for (outputs, inputs, start_shift, shift) in layers {
        for _ in 0..outputs {
            bytes.extend_from_slice(&(random.next() as i32 >> start_shift).to_le_bytes());
        }
        bytes.extend((0..outputs * inputs).map(|_| (random.next() as i8 >> shift) as u8));
    }
    bytes
}

/// What comes out of the net of a file for a position, from the side to move.
pub fn slow_output(kind: Kind, file: &[u8], sfen: &str) -> i32 {
    let mut words = sfen.split(' ');
    let (board, turn, hands) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
    let pieces = pieces(board, hands);
    let to_move = turn.chars().next().unwrap();
    let other = if to_move == 'b' { 'w' } else { 'b' };
    let numbers = 12 + u32::from_le_bytes(file[8..12].try_into().unwrap()) as usize + 4;
    let mut inputs = Vec::new();
    for side in [to_move, other] {
        let active = active(kind, &pieces, side);
        for index in 0..kind.sums() {
            let number = |row: usize| {
                let at = numbers + 2 * (kind.sums() * row + index);
                i64::from(i16::from_le_bytes(file[at..at + 2].try_into().unwrap()))
            };
            let sum: i64 = number(0) + active.iter().map(|feature| number(1 + feature)).sum::<i64>();
            inputs.push(i64::from(sum as i16).clamp(0, 127));
        }
    }
    let mut at = numbers + 2 * kind.sums() * (1 + kind.rows()) + 4;
    for outputs in [32, 32] {
        inputs = layer(file, &mut at, outputs, &inputs).iter().map(|&sum| i64::from(sum >> 6).clamp(0, 127)).collect();
    }
    let output = layer(file, &mut at, 1, &inputs)[0];
    assert_eq!(at, file.len());
    output
}

fn layer(file: &[u8], at: &mut usize, outputs: usize, inputs: &[i64]) -> Vec<i32> {
    let weights = *at + 4 * outputs;
    let of_output = |output: usize| {
        let start = *at + 4 * output;
        let mut sum = i64::from(i32::from_le_bytes(file[start..start + 4].try_into().unwrap()));
        for (index, input) in inputs.iter().enumerate() {
            sum += input * i64::from(file[weights + output * inputs.len() + index] as i8);
        }
        sum as i32
    };
    let sums = (0..outputs).map(of_output).collect();
    *at = weights + outputs * inputs.len();
    sums
}

/// A piece as its letter in SFEN, with a plus if promoted, and where: file and rank, or which one in hand.
enum Piece {
    Board(String, usize, usize),
    Hand(char, usize),
}

fn pieces(board: &str, hands: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (rank, row) in board.split('/').enumerate() {
        let (mut file, mut name) = (9, String::new());
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => file -= empty as usize,
                None if letter == '+' => name.push('+'),
                None => {
                    name.push(letter);
                    pieces.push(Piece::Board(std::mem::take(&mut name), file, rank + 1));
                    file -= 1;
                }
            }
        }
    }
    let mut count = String::new();
    for letter in hands.chars().filter(|&letter| letter != '-') {
        if letter.is_ascii_digit() {
            count.push(letter);
        } else {
            let number: usize = std::mem::take(&mut count).parse().unwrap_or(1);
            pieces.extend((0..number).map(|index| Piece::Hand(letter, index)));
        }
    }
    pieces
}

/// The features that are set, as a side sees the pieces.
fn active(kind: Kind, pieces: &[Piece], side: char) -> Vec<usize> {
    let is_own = |letter: char| letter.is_ascii_uppercase() == (side == 'b');
    let square = |file: usize, rank: usize| match side {
        'b' => (file - 1) * 9 + rank - 1,
        _ => (9 - file) * 9 + 9 - rank,
    };
    let mut king = None;
    let mut numbers = Vec::new();
    for piece in pieces {
        numbers.push(match piece {
            Piece::Hand(letter, index) => {
                let (own, enemy) = match letter.to_ascii_uppercase() {
                    'P' => (1, 20),
                    'L' => (39, 44),
                    'N' => (49, 54),
                    'S' => (59, 64),
                    'G' => (69, 74),
                    'B' => (79, 82),
                    'R' => (85, 88),
                    _ => panic!("{letter} in hand"),
                };
                if is_own(*letter) { own + index } else { enemy + index }
            }
            Piece::Board(name, file, rank) => {
                let own = match name.to_ascii_uppercase().as_str() {
                    "P" => 90,
                    "L" => 252,
                    "N" => 414,
                    "S" => 576,
                    "G" | "+P" | "+L" | "+N" | "+S" => 738,
                    "B" => 900,
                    "+B" => 1062,
                    "R" => 1224,
                    "+R" => 1386,
                    "K" => 1548,
                    _ => panic!("{name} on the board"),
                };
                let is_own = is_own(name.chars().last().unwrap());
                if own == 1548 && is_own {
                    king = Some(square(*file, *rank));
                }
                own + if is_own { 0 } else { 81 } + square(*file, *rank)
            }
        });
    }
    match (kind, king) {
        (Kind::Kp | Kind::SmallKp, _) => numbers,
        (Kind::HalfKp, Some(king)) => {
            numbers.into_iter().filter(|&number| number < 1548).map(|number| king * 1548 + number).collect()
        }
        (Kind::HalfKp, None) => Vec::new(),
    }
}
