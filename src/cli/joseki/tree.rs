//! `komadai joseki tree`: the main lines from a position.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use komadai::joseki::Joseki;
use komadai::kifu;
use komadai::kyokumen::Kyokumen;

use super::columns::{self, Column, known, percent};
use super::copying::ReadArguments;
use super::figures::{Figures, Row};
use super::place::Place;
use super::print_json;
use crate::cli::{Failure, one_line, out};

/// Shows the main lines of a book from a position, as an indented tree
#[derive(Args)]
pub struct Arguments {
    /// The book
    book: PathBuf,
    /// The position: startpos or a SFEN as one argument; then, if wanted, the word moves and moves in USI
    #[arg(default_value = "startpos", value_name = "POSITION")]
    position: Vec<String>,
    #[command(flatten)]
    limits: Limits,
    /// Print JSON; unknown figures are null
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArguments,
}

/// How far the tree reaches.
#[derive(Args)]
struct Limits {
    /// The longest line, in plies
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=200))]
    depth: u32,
    /// The most moves shown of a position
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    width: u32,
    /// Show only lines that this part of the games from the position on takes, by the shares of its moves, multiplied;
    /// in a position without counts each move that is shown has an equal share
    #[arg(long, value_name = "PERCENT", default_value_t = 2.0, value_parser = read_percent)]
    min_share: f64,
    /// Show only moves that were seen so often; those without a count stay
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_count: u64,
}

fn read_percent(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| "a percentage is a number from 0 to 100".to_owned())
}

/// A move of the tree.
struct Node {
    row: Row,
    /// Percentage of the games from the tree's root on that come here and make this move; none where a share on the way
    /// is unknown.
    line_share: Option<f64>,
    /// How the tree goes on.
    then: Then,
}

enum Then {
    /// With these moves, if any.
    Moves(Vec<Node>),
    /// With a position of the same line.
    Repetition,
    /// With a position that is shown already.
    Above,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let place = Place::read(&arguments.position.join(" "))?;
    let (kyokumen, before) = (place.kyokumen(), place.before());
    let book = arguments.read.open(&arguments.book)?;
    let mut grower = Grower {
        book: &book,
        limits: &arguments.limits,
        line: vec![kyokumen.key()],
        shown: HashSet::new(),
        left_out: 0,
    };
    let figures = Figures::of(&book, &kyokumen, before);
    let comment = figures.comment.clone();
    let nodes = grower.grow(figures, Weight { known: Some(100.0), assumed: 100.0 });
    if arguments.json {
        let moves = nodes.iter().map(Node::to_json).collect::<Vec<_>>();
        return print_json(&json!({ "sfen": kyokumen.to_sfen(), "comment": comment, "moves": moves }));
    }
    let mut text = format!("{}\n", kyokumen.to_sfen());
    for line in comment.iter().flat_map(|comment| comment.lines()) {
        text += &format!("{}\n", one_line(line));
    }
    text += "\n";
    text += &if nodes.is_empty() { String::new() } else { table(&kyokumen, &nodes) };
    text += &match grower.left_out {
        0 if nodes.is_empty() => "no move known\n".to_owned(),
        0 => String::new(),
        number => {
            format!("{}left out of these positions by the limits: {number}\n", if nodes.is_empty() { "" } else { "\n" })
        }
    };
    out(&text)
}

/// Which part of the games takes a line, in percent.
#[derive(Clone, Copy)]
struct Weight {
    known: Option<f64>,
    /// The same with an equal share where none is known.
    assumed: f64,
}

/// Makes the tree.
struct Grower<'a> {
    book: &'a Joseki,
    limits: &'a Limits,
    /// Keys of the positions on the way from the root.
    line: Vec<u64>,
    /// Keys of the positions below which moves are in the tree.
    shown: HashSet<u64>,
    /// Legal moves that the limits left out of positions in the tree.
    left_out: usize,
}

impl Grower<'_> {
    /// The nodes of a position whose key is the last one of the line.
    fn grow(&mut self, figures: Figures, weight: Weight) -> Vec<Node> {
        let order = figures.main_order();
        let legal = order.len();
        let counted = figures.rows.iter().any(|row| row.share.is_some());
        let mut rows: Vec<Option<Row>> = figures.rows.into_iter().map(Some).collect();
        let rows = order.into_iter().filter_map(|at| rows[at].take());
        let often = |row: &Row| row.te.known_count().is_none_or(|count| count >= self.limits.min_count);
        let rows: Vec<Row> = rows.filter(often).take(self.limits.width as usize).collect();
        let equal = 100.0 / rows.len().max(1) as f64;
        let mut nodes = Vec::new();
        for row in rows {
            let assumed = row.share.unwrap_or(if counted { 0.0 } else { equal });
            let weight = Weight {
                known: weight.known.zip(row.share).map(|(line, share)| line * share / 100.0),
                assumed: weight.assumed * assumed / 100.0,
            };
            if weight.assumed >= self.limits.min_share {
                let then = self.after(&figures.kyokumen, &row, weight);
                nodes.push(Node { row, line_share: weight.known, then });
            }
        }
        self.left_out += legal - nodes.len();
        nodes
    }

    fn after(&mut self, kyokumen: &Kyokumen, row: &Row, weight: Weight) -> Then {
        let mut after = kyokumen.clone();
        after.do_te(row.te.te);
        let key = after.key();
        if self.line.contains(&key) {
            return Then::Repetition;
        }
        if self.shown.contains(&key) {
            return Then::Above;
        }
        if self.line.len() as u32 >= self.limits.depth {
            return Then::Moves(Vec::new());
        }
        self.line.push(key);
        let figures = Figures::of(self.book, &after, Some(row.te.te.to()));
        let nodes = self.grow(figures, weight);
        self.line.pop();
        if !nodes.is_empty() {
            self.shown.insert(key);
        }
        Then::Moves(nodes)
    }
}

impl Node {
    fn to_json(&self) -> Value {
        let mut value = self.row.to_json();
        value["line_share"] = json!(self.line_share);
        let (moves, then) = match &self.then {
            Then::Moves(nodes) => (nodes.iter().map(Node::to_json).collect(), None),
            Then::Repetition => (Vec::new(), Some("repetition")),
            Then::Above => (Vec::new(), Some("transposition")),
        };
        value["ends_by"] = json!(then);
        value["moves"] = json!(moves);
        value
    }

    /// What stands behind the figures: why the line ends here though the book goes on.
    fn then(&self) -> String {
        match (&self.then, self.row.leads_to) {
            (Then::Repetition, _) => "repetition".to_owned(),
            (Then::Above, _) => "see above".to_owned(),
            (Then::Moves(nodes), 1) if nodes.is_empty() => "1 move".to_owned(),
            (Then::Moves(nodes), number) if nodes.is_empty() && number > 0 => format!("{number} moves"),
            _ => String::new(),
        }
    }
}

fn table(kyokumen: &Kyokumen, nodes: &[Node]) -> String {
    let mut flat = Vec::new();
    flatten(nodes, 0, &mut flat);
    let column = |head, figures, cell: &dyn Fn(&Node) -> String| Column {
        head,
        figures,
        cells: flat.iter().map(|(_, node)| cell(node)).collect(),
    };
    let name = |(depth, node): &(usize, &Node)| {
        let name = node.row.name.as_deref().unwrap_or(columns::UNKNOWN);
        format!("{}{name}", "  ".repeat(*depth))
    };
    let head = format!("{} to move", kifu::mark(kyokumen.teban()));
    columns::table(&[
        Column { head: &head, figures: false, cells: flat.iter().map(name).collect() },
        column("move", false, &|node| node.row.te.te.to_string()),
        column("count", true, &|node| known(node.row.te.known_count())),
        column("share", true, &|node| percent(node.row.share)),
        column("wins", true, &|node| percent(node.row.win_rate.map(|win_rate| win_rate.rate))),
        column("value", true, &|node| known(node.row.te.known_value())),
        column("then", false, &Node::then),
    ])
}

/// The nodes from top to bottom, each with its depth.
fn flatten<'a>(nodes: &'a [Node], depth: usize, flat: &mut Vec<(usize, &'a Node)>) {
    for node in nodes {
        flat.push((depth, node));
        if let Then::Moves(nodes) = &node.then {
            flatten(nodes, depth + 1, flat);
        }
    }
}
