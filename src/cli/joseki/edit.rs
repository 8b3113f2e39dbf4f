//! `komadai joseki edit`: changing what a book has in one position.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};

use komadai::joseki::copy::{self, Change, Rules};
use komadai::joseki::{Annotation, Entry, Format, JosekiTe, WriteOptions};
use komadai::kyokumen::{Kyokumen, PackedKyokumen, Te};

use super::NO_KINGS;
use super::copying::{self, ReadArguments};
use super::place::Place;
use crate::cli::{Failure, Usage};

/// Changes what a book has in one position
///
/// The book is written anew in its own format; what that can't hold of a change is told, and a change of which it can
/// hold nothing is refused. POSITION is startpos or a SFEN as one argument, then, if wanted, the word moves and moves
/// in USI; without it the even start is meant.
#[derive(Args)]
pub struct Arguments {
    /// The book
    book: PathBuf,
    #[command(flatten)]
    read: ReadArguments,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Adds a move
    Add {
        /// The move, in USI
        #[arg(value_name = "MOVE")]
        te: Te,
        /// The position
        #[arg(default_value = "startpos", value_name = "POSITION")]
        position: Vec<String>,
        #[command(flatten)]
        figures: Figures,
    },
    /// Changes figures of a move that is there
    Set {
        /// The move, in USI
        #[arg(value_name = "MOVE")]
        te: Te,
        /// The position
        #[arg(default_value = "startpos", value_name = "POSITION")]
        position: Vec<String>,
        #[command(flatten)]
        figures: Figures,
    },
    /// Removes a move, or the whole position
    Remove {
        /// The move, in USI, or all
        #[arg(value_name = "MOVE|all", value_parser = te_or_all)]
        te: TeOrAll,
        /// The position
        #[arg(default_value = "startpos", value_name = "POSITION")]
        position: Vec<String>,
    },
    /// Changes the comment on the position, or on a move
    Comment {
        /// The comment; an empty one removes it
        text: String,
        /// The position
        #[arg(default_value = "startpos", value_name = "POSITION")]
        position: Vec<String>,
        /// The move, in USI, that it is on
        #[arg(long = "move", value_name = "MOVE")]
        te: Option<Te>,
    },
}

#[derive(Clone)]
struct TeOrAll(Option<Te>);

fn te_or_all(text: &str) -> Result<TeOrAll, String> {
    if text == "all" {
        return Ok(TeOrAll(None));
    }
    text.parse().map(|te| TeOrAll(Some(te))).map_err(|error| format!("{error}; or the word all"))
}

/// A figure that may be none.
#[derive(Clone)]
struct Known<T>(Option<T>);

impl<T: FromStr<Err: ToString>> FromStr for Known<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Known<T>, String> {
        if text == "none" {
            return Ok(Known(None));
        }
        text.parse().map(|figure| Known(Some(figure))).map_err(|error: T::Err| error.to_string())
    }
}

fn annotation(name: &str) -> Result<Known<Annotation>, String> {
    let found = Annotation::ALL.into_iter().find(|annotation| annotation.name() == name);
    match (found, name) {
        (Some(annotation), _) => Ok(Known(Some(annotation))),
        (None, "none") => Ok(Known(None)),
        _ => Err(format!("one of {}, none", Annotation::ALL.map(Annotation::name).join(", "))),
    }
}

/// Figures of a move; the word none for an unknown one.
#[derive(Args)]
struct Figures {
    /// How often it was played; none where that is unknown, as with all figures
    #[arg(long, value_name = "N")]
    count: Option<Known<u64>>,
    /// Games that the side that moves won
    #[arg(long, value_name = "N")]
    wins: Option<Known<u64>>,
    /// Drawn games
    #[arg(long, value_name = "N")]
    draws: Option<Known<u64>>,
    /// Games that the side that moves lost
    #[arg(long, value_name = "N")]
    losses: Option<Known<u64>>,
    /// Value in centipawns for the side that moves
    #[arg(long, value_name = "CP", allow_hyphen_values = true)]
    value: Option<Known<i32>>,
    /// Depth in plies of the search that gave the value
    #[arg(long, value_name = "N")]
    depth: Option<Known<u32>>,
    /// Mean rating of those who played it
    #[arg(long, value_name = "R")]
    rating: Option<Known<u32>>,
    /// Mean rating of their opponents
    #[arg(long, value_name = "R")]
    opponent_rating: Option<Known<u32>>,
    /// The reply that is expected
    #[arg(long, value_name = "MOVE")]
    ponder: Option<Known<Te>>,
    /// forced, good, bad, blunder
    #[arg(long, value_name = "NAME", value_parser = annotation)]
    annotation: Option<Known<Annotation>>,
}

impl Figures {
    /// Puts the figures that were given into a move; says whether there were any.
    fn put(&self, te: &mut JosekiTe) -> bool {
        fn put<T: Clone>(given: &Option<Known<T>>, figure: &mut Option<T>) -> bool {
            if let Some(Known(given)) = given {
                figure.clone_from(given);
            }
            given.is_some()
        }
        let given = [
            put(&self.count, &mut te.count),
            put(&self.wins, &mut te.wins),
            put(&self.draws, &mut te.draws),
            put(&self.losses, &mut te.losses),
            put(&self.value, &mut te.value),
            put(&self.depth, &mut te.depth),
            put(&self.rating, &mut te.rating),
            put(&self.opponent_rating, &mut te.opponent_rating),
            put(&self.ponder, &mut te.ponder),
            put(&self.annotation, &mut te.annotation),
        ];
        // A rating that people state leaves nothing out.
        te.rated = te.rated.filter(|_| self.rating.is_none());
        te.opponent_rated = te.opponent_rated.filter(|_| self.opponent_rating.is_none());
        given.contains(&true)
    }
}

impl Action {
    fn position(&self) -> &[String] {
        match self {
            Action::Add { position, .. }
            | Action::Set { position, .. }
            | Action::Remove { position, .. }
            | Action::Comment { position, .. } => position,
        }
    }

    /// Changes what the book has; `None` takes the position out.
    fn apply(&self, kyokumen: &Kyokumen, entry: Option<Entry>) -> Result<Option<Entry>, Failure> {
        let mut entry = match (entry, self) {
            (Some(entry), _) => entry,
            (None, Action::Add { .. }) => Entry { tesu: Some(kyokumen.tesu()), ..Entry::default() },
            (None, _) => return Err("the book does not know the position".into()),
        };
        match self {
            Action::Add { te, figures, .. } => {
                if entry.moves.iter().any(|known| known.te == *te) {
                    return Err(format!("{te} is there already; set changes its figures").into());
                }
                let mut new = JosekiTe::new(*te);
                figures.put(&mut new);
                refuse_illegal(kyokumen, &new)?;
                entry.moves.push(new);
            }
            Action::Set { te, figures, .. } => {
                let known = find(&mut entry, *te)?;
                if !figures.put(known) {
                    return Err(Usage("no figure is given, such as --count 3").into());
                }
                refuse_illegal(kyokumen, known)?;
            }
            Action::Remove { te: TeOrAll(None), .. } => return Ok(None),
            Action::Remove { te: TeOrAll(Some(te)), .. } => {
                find(&mut entry, *te)?;
                entry.moves.retain(|known| known.te != *te);
                if entry.moves.is_empty() {
                    return Ok(None);
                }
            }
            Action::Comment { text, te, .. } => {
                let comment = Some(text.clone()).filter(|text| !text.is_empty());
                match te {
                    Some(te) => find(&mut entry, *te)?.comment = comment,
                    None => entry.comment = comment,
                }
            }
        }
        Ok(Some(entry))
    }
}

fn find(entry: &mut Entry, te: Te) -> Result<&mut JosekiTe, Failure> {
    let found = entry.moves.iter_mut().find(|known| known.te == te);
    found.ok_or_else(|| format!("the book does not know {te} in this position").into())
}

fn refuse_illegal(kyokumen: &Kyokumen, te: &JosekiTe) -> Result<(), Failure> {
    if !kyokumen.is_legal(te.te) {
        return Err(format!("{} is illegal in {}", te.te, kyokumen.to_sfen()).into());
    }
    let mut after = kyokumen.clone();
    after.do_te(te.te);
    match te.ponder.filter(|&ponder| !after.is_legal(ponder)) {
        Some(ponder) => Err(format!("the reply {ponder} is illegal in {}", after.to_sfen()).into()),
        None => Ok(()),
    }
}

/// Refuses a change of which the format of the book can hold nothing at all.
fn refuse_lost(packed: &PackedKyokumen, old: Option<&Entry>, new: &Entry, format: Format) -> Result<(), Failure> {
    if old == Some(new) {
        return Ok(());
    }
    let held = |entry| copy::held(packed, entry, format, &WriteOptions::default());
    let (after, left_out) = held(new)?;
    let before = old.map(held).transpose()?.and_then(|(before, _)| before);
    if after != before {
        return Ok(());
    }
    let name = format.name();
    Err(if left_out.is_empty() {
        format!("nothing is changed: the format .{name} can't tell this from what is there").into()
    } else {
        format!("nothing is changed: the format .{name} can't hold {}", left_out.join(", ")).into()
    })
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let kyokumen = Place::read(&arguments.action.position().join(" "))?.kyokumen();
    let packed = kyokumen.pack().ok_or(NO_KINGS)?;
    let book = arguments.read.open(&arguments.book)?;
    let old = book.lookup(&kyokumen);
    let entry = arguments.action.apply(&kyokumen, old.clone())?;
    let (format, provenance) = (book.format(), book.provenance().unwrap_or_default());
    copy::check_target(&arguments.book, format)?;
    if let Some(new) = &entry {
        refuse_lost(&packed, old.as_ref(), new, format)?;
    }
    let options = WriteOptions { provenance, ..WriteOptions::default() };
    let rules = Rules { change: Some(Change { packed, entry }), whole: true, ..Rules::default() };
    copying::copy(vec![book], &arguments.book, format, &options, &rules)
}
