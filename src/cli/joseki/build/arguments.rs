//! The options of `komadai joseki build`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use komadai::joseki::build::{Rook, Rules, Side};
use komadai::kifu::{Date, Ending, Handicap};

/// Builds a book from game records
///
/// The records' format is known by their content, and so is their encoding: CSA, KIF, KI2 and JKF, USI lines
/// (`startpos moves 7g7f 3c3d`), and the tab-separated games file. All of them may be compressed by gzip or be members
/// of a .zip. What can't be read is passed over and told at the end.
///
/// Games of the same day with the same moves count once; games without a date all count.
#[derive(Args)]
pub struct Arguments {
    /// Records: files, folders with all that is in them, - for standard input
    #[arg(required = true, value_name = "RECORD")]
    pub(super) records: Vec<PathBuf>,
    /// The book to write, in the format of its extension; .joseki for unknown ones
    #[arg(short, long, value_name = "BOOK")]
    pub(super) output: PathBuf,
    /// Take moves up to this ply
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_ply: u32,
    /// Take moves seen at least so often in their position, after all is added up
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_count: u64,
    /// Take moves of players rated at least so
    #[arg(long, value_name = "R")]
    min_rating: Option<u32>,
    /// Take games of at least so many plies
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_plies: usize,
    /// Whose moves to take
    #[arg(long, value_enum, default_value_t = SideName::Both)]
    side: SideName,
    /// Take moves of the player with this name; may be repeated
    ///
    /// The whole name as the record has it, titles included. Capital and small letters are the same, so are characters
    /// of full and of half width, and blanks don't count.
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Take moves of players who play their rook so
    ///
    /// Ranging: within the first 30 plies the rook goes, inside its own camp (the player's three ranks), to the fifth
    /// file or further left as the player sees it, such as 5h to 9h for Sente. Static: it does not, and the game has 30
    /// plies or more. Each player is judged alone.
    #[arg(long, value_enum)]
    rook: Option<RookName>,
    /// Take games with this handicap: even, any, or its name (lance, bishop, rook, rook-lance, 2-piece, ...)
    #[arg(long, value_name = "NAME", default_value = "even", value_parser = parse_handicap)]
    handicap: HandicapName,
    /// Take games of this day or later, such as 2024-05-31
    #[arg(long, value_name = "DATE")]
    since: Option<Date>,
    /// Take games of this day or earlier
    #[arg(long, value_name = "DATE")]
    until: Option<Date>,
    /// Take games with these endings, separated by commas: resign, timeup, illegal, abort, draw (which stands for
    /// sennichite and jishogi too), sennichite, jishogi, declaration, mate, forfeit
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parse_ending)]
    ending: Vec<Ending>,
    /// Count the moves of variations too, each once, without results and ratings
    #[arg(long)]
    variations: bool,
    /// Where the numbers come from, in a sentence that is kept in the book
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(super) provenance: String,
    /// Write all that could not be used, with file, line, and why, to this file
    #[arg(long, value_name = "FILE")]
    pub(super) errors: Option<PathBuf>,
    /// Threads to work with; all processors by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Memory for counting, in MB; what does not fit is put aside on the disk, beside the book
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
}

#[derive(Clone, Copy, ValueEnum)]
enum SideName {
    Both,
    Sente,
    Gote,
    Winner,
    Loser,
}

#[derive(Clone, Copy, ValueEnum)]
enum RookName {
    Static,
    Ranging,
}

#[derive(Clone, Copy)]
struct HandicapName(Option<Handicap>);

fn parse_handicap(name: &str) -> Result<HandicapName, String> {
    if name == "any" {
        return Ok(HandicapName(None));
    }
    let names = || Handicap::all().map(Handicap::name).collect::<Vec<_>>().join(", ");
    Handicap::from_name(name).map(|handicap| HandicapName(Some(handicap))).ok_or_else(|| format!("any, {}", names()))
}

fn parse_ending(name: &str) -> Result<Ending, String> {
    let names = || Ending::ALL.map(Ending::name).join(", ");
    Ending::from_name(name).ok_or_else(|| format!("one of {}", names()))
}

impl Arguments {
    pub(super) fn rules(&self) -> Rules {
        Rules {
            max_ply: self.max_ply,
            min_count: self.min_count,
            min_rating: self.min_rating,
            side: match self.side {
                SideName::Both => Side::Both,
                SideName::Sente => Side::Sente,
                SideName::Gote => Side::Gote,
                SideName::Winner => Side::Winner,
                SideName::Loser => Side::Loser,
            },
            players: self.player.clone(),
            rook: self.rook.map(|rook| match rook {
                RookName::Static => Rook::Static,
                RookName::Ranging => Rook::Ranging,
            }),
            handicap: self.handicap.0,
            min_game: self.min_plies,
            since: self.since,
            until: self.until,
            endings: self.ending.clone(),
            variations: self.variations,
        }
    }

    pub(super) fn jobs(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(all, usize::from)
    }

    /// Memory in bytes.
    pub(super) fn memory(&self) -> usize {
        usize::try_from(u64::from(self.memory) << 20).unwrap_or(usize::MAX)
    }
}
