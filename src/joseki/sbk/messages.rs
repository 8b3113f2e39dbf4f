//! The messages of the file. Texts are bytes, so that one that is not UTF-8 costs nothing around it, and every field
//! tells absent from 0, so that what was read is written again byte for byte.

use prost::Message;

/// The whole file.
#[cfg(test)]
#[derive(Clone, PartialEq, Message)]
pub(super) struct Book {
    #[prost(bytes = "vec", optional, tag = "1")]
    pub author: Option<Vec<u8>>,
    #[prost(bytes = "vec", optional, tag = "2")]
    pub description: Option<Vec<u8>>,
    #[prost(message, repeated, tag = "3")]
    pub states: Vec<State>,
}

/// A position.
#[derive(Clone, PartialEq, Message)]
pub(super) struct State {
    /// The index of the state.
    #[prost(int32, optional, tag = "1")]
    pub id: Option<i32>,
    /// ShogiGUI's hash of the board, whose making is not known.
    #[prost(int64, optional, tag = "2")]
    pub board_key: Option<i64>,
    /// The same for the hands.
    #[prost(uint32, optional, tag = "3")]
    pub hand_key: Option<u32>,
    #[prost(int32, optional, tag = "4")]
    pub games: Option<i32>,
    #[prost(int32, optional, tag = "5")]
    pub won_black: Option<i32>,
    #[prost(int32, optional, tag = "6")]
    pub won_white: Option<i32>,
    /// SFEN, at roots only.
    #[prost(bytes = "vec", optional, tag = "7")]
    pub position: Option<Vec<u8>>,
    #[prost(bytes = "vec", optional, tag = "8")]
    pub comment: Option<Vec<u8>>,
    #[prost(message, repeated, tag = "9")]
    pub moves: Vec<Move>,
    #[prost(message, repeated, tag = "10")]
    pub evals: Vec<Eval>,
}

/// What a state says of the moves that lead to it; its own moves are passed over.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Results {
    #[prost(int32, optional, tag = "5")]
    pub won_black: Option<i32>,
    #[prost(int32, optional, tag = "6")]
    pub won_white: Option<i32>,
    #[prost(message, repeated, tag = "10")]
    pub evals: Vec<Eval>,
}

/// A move.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Move {
    /// See `word`.
    #[prost(int32, optional, tag = "1")]
    pub word: Option<i32>,
    /// 0 none, 1 forced, 2 good, 3 bad, 4 blunder.
    #[prost(int32, optional, tag = "2")]
    pub evaluation: Option<i32>,
    #[prost(int32, optional, tag = "3")]
    pub weight: Option<i32>,
    /// Index of the state that the move leads to; -1 for none.
    #[prost(int32, optional, tag = "4")]
    pub next: Option<i32>,
}

/// What an engine found; the value is for Sente.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Eval {
    #[prost(int32, optional, tag = "1")]
    pub value: Option<i32>,
    #[prost(int32, optional, tag = "2")]
    pub depth: Option<i32>,
    #[prost(int32, optional, tag = "3")]
    pub selective_depth: Option<i32>,
    #[prost(int64, optional, tag = "4")]
    pub nodes: Option<i64>,
    #[prost(bytes = "vec", optional, tag = "5")]
    pub variation: Option<Vec<u8>>,
    #[prost(bytes = "vec", optional, tag = "6")]
    pub engine: Option<Vec<u8>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_written_byte_for_byte_as_they_were_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/shogihome");
        let mut files = 0;
        for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
            if file.extension().is_some_and(|extension| extension == "sbk") {
                let bytes = std::fs::read(&file).unwrap();
                assert_eq!(Book::decode(&bytes[..]).unwrap().encode_to_vec(), bytes, "{file:?}");
                files += 1;
            }
        }
        assert_eq!(files, 7);
    }
}
