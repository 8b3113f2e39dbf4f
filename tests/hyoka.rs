//! Evaluations: sums kept through moves equal those counted from nothing, and both sides and both wings count alike.

use std::sync::LazyLock;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use komadai::hyoka::net::{GUARDED, ONE, OUTPUT_ONE, PHASES, PLACED, SCALE, View, WIDTH, phase_index};
use komadai::hyoka::{Centipawn, Hyoka, Komagumi, Learned, Material, Net, phase};
use komadai::kyokumen::{Dan, Kyokumen, Masu, Suji, Teban};

/// Made once, since tables take their time.
fn komagumi() -> Komagumi {
    static KOMAGUMI: LazyLock<Komagumi> = LazyLock::new(Komagumi::default);
    KOMAGUMI.clone()
}

fn learned() -> Learned {
    static LEARNED: LazyLock<Learned> = LazyLock::new(Learned::default);
    LEARNED.clone()
}

fn fresh(mut hyoka: impl Hyoka, kyokumen: &Kyokumen) -> Centipawn {
    hyoka.reset(kyokumen);
    hyoka.value(kyokumen)
}

/// Calls `check` with every position of some random games, captures preferred, and the values of the engine that was
/// told of every move.
fn through_random_games<H: Hyoka + Default>(mut check: impl FnMut(&Kyokumen, Centipawn)) {
    let starts = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "lnsg1gsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    ];
    for (seed, sfen) in starts.into_iter().enumerate() {
        let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
        let mut kyokumen = Kyokumen::from_sfen(sfen).unwrap();
        let mut hyoka = H::default();
        hyoka.reset(&kyokumen);
        let mut played = Vec::new();
        for _ in 0..300 {
            let (list, captures) = (kyokumen.legal_te(), kyokumen.legal_captures());
            let from = if captures.is_empty() || rng.next_u64() % 3 > 0 { &list } else { &captures };
            if from.is_empty() {
                break;
            }
            let change = kyokumen.do_te(from[rng.next_u64() as usize % from.len()]);
            hyoka.push(&kyokumen, &change);
            played.push((change, hyoka.value(&kyokumen)));
            check(&kyokumen, hyoka.value(&kyokumen));
        }
        while let Some((change, value)) = played.pop() {
            assert_eq!(hyoka.value(&kyokumen), value, "on the way back");
            kyokumen.undo_te(&change);
            hyoka.pop(&kyokumen, &change);
        }
        assert_eq!(hyoka.value(&kyokumen), fresh(H::default(), &kyokumen));
    }
}

/// Left and right exchanged.
fn mirrored(kyokumen: &Kyokumen) -> Kyokumen {
    let sfen = kyokumen.to_sfen();
    let (board, rest) = sfen.split_once(' ').unwrap();
    let rank = |rank: &str| {
        let mut cells: Vec<String> = Vec::new();
        let mut plus = "";
        for c in rank.chars() {
            if c == '+' {
                plus = "+";
            } else {
                cells.push(format!("{plus}{c}"));
                plus = "";
            }
        }
        cells.reverse();
        cells.concat()
    };
    let board: Vec<String> = board.split('/').map(rank).collect();
    Kyokumen::from_sfen(&format!("{} {rest}", board.join("/"))).unwrap()
}

#[test]
fn sums_kept_through_moves_equal_those_counted_from_nothing() {
    through_random_games::<Komagumi>(|kyokumen, value| {
        assert_eq!(value, fresh(komagumi(), kyokumen), "{kyokumen:?}");
    });
    through_random_games::<Learned>(|kyokumen, value| {
        assert_eq!(value, fresh(learned(), kyokumen), "{kyokumen:?}");
    });
    through_random_games::<Material>(|kyokumen, value| {
        assert_eq!(value, fresh(Material::default(), kyokumen), "{kyokumen:?}");
    });
}

#[test]
fn both_sides_count_alike() {
    through_random_games::<Komagumi>(|kyokumen, value| {
        assert_eq!(value, fresh(komagumi(), &kyokumen.rotated()), "{kyokumen:?}");
    });
    through_random_games::<Learned>(|kyokumen, value| {
        assert_eq!(value, fresh(learned(), &kyokumen.rotated()), "{kyokumen:?}");
    });
}

#[test]
fn left_and_right_count_alike() {
    through_random_games::<Komagumi>(|kyokumen, value| {
        assert_eq!(value, fresh(komagumi(), &mirrored(kyokumen)), "{kyokumen:?}");
    });
    // The network looks at either wing alike where the king has left the middle.
    let mut compared = 0;
    through_random_games::<Learned>(|kyokumen, value| {
        if Teban::ALL.into_iter().all(|teban| kyokumen.ou(teban).is_some_and(|ou| ou.suji().number() != 5)) {
            compared += 1;
            assert_eq!(value, fresh(learned(), &mirrored(kyokumen)), "{kyokumen:?}");
        }
    });
    assert!(compared > 100, "{compared}");
}

/// The features of the attacks around a side's king, by files and ranks as a person counts them; none if there is no
/// king.
fn attacks_around_the_king(kyokumen: &Kyokumen, teban: Teban) -> Vec<usize> {
    let Some(ou) = kyokumen.ou(teban) else { return (0..24).map(|place| PLACED + 16 * place).collect() };
    let (suji, dan) = (i32::from(ou.suji().number()), i32::from(ou.dan().number()));
    // The side's own files and ranks: Gote turns the board, and whoever has its king left of the middle exchanges left
    // and right.
    let ahead = if teban == Teban::Sente { 1 } else { -1 };
    let sideways = if (suji - 5) * ahead > 0 { -ahead } else { ahead };
    let steps = (-2..=2).flat_map(|x| (-2..=2).map(move |y| (x, y))).filter(|&step| step != (0, 0));
    let count = |teban, masu| kyokumen.control(teban, masu).count_ones().min(3) as usize;
    steps
        .enumerate()
        .map(|(place, (x, y))| {
            let suji = u8::try_from(suji + sideways * x).ok().and_then(Suji::new);
            let dan = u8::try_from(dan + ahead * y).ok().and_then(Dan::new);
            let masu = suji.zip(dan).map(|(suji, dan)| Masu::new(suji, dan));
            PLACED + 16 * place + masu.map_or(0, |masu| 4 * count(teban, masu) + count(!teban, masu))
        })
        .collect()
}

/// The features of pieces by how often they are guarded and attacked.
fn guards(kyokumen: &Kyokumen, teban: Teban) -> impl Iterator<Item = usize> {
    let count = |teban, masu| kyokumen.control(teban, masu).count_ones().min(2) as usize;
    Masu::all().filter(|&masu| Teban::ALL.into_iter().all(|teban| kyokumen.ou(teban) != Some(masu))).filter_map(
        move |masu| {
            let koma = kyokumen.koma(masu);
            let kind = koma.syurui()?.index() - 1 + if koma.teban()? == teban { 0 } else { 14 };
            Some(GUARDED + 9 * kind + 3 * count(teban, masu) + count(!teban, masu))
        },
    )
}

/// What the network adds, computed in fractions from the description of its file alone.
fn corrected_by(net: &Net, kyokumen: &Kyokumen) -> f64 {
    let phase = phase_index(phase::of(kyokumen));
    let mut output = f64::from(net.constants[phase]) / f64::from(ONE * ONE * OUTPUT_ONE);
    for (side, teban) in [kyokumen.teban(), !kyokumen.teban()].into_iter().enumerate() {
        let mut sums = net.biases.0.map(f64::from);
        View::new(teban, kyokumen.ou(teban)).each(kyokumen, |feature| {
            (0..WIDTH).for_each(|index| sums[index] += f64::from(net.rows[feature].0[index]));
        });
        for feature in attacks_around_the_king(kyokumen, teban).into_iter().chain(guards(kyokumen, teban)) {
            (0..WIDTH).for_each(|index| sums[index] += f64::from(net.rows[feature].0[index]));
        }
        for (sum, weight) in sums.into_iter().zip(net.outputs[phase][side].0) {
            let held = (sum / f64::from(ONE)).clamp(0.0, 1.0);
            output += held * held * f64::from(weight) / f64::from(OUTPUT_ONE);
        }
    }
    output * f64::from(SCALE)
}

#[test]
fn the_network_adds_what_its_description_says() {
    let net = Net::standard();
    assert_eq!(net.outputs.len(), PHASES);
    let mut most = 0.0f64;
    through_random_games::<Learned>(|kyokumen, value| {
        let expected = corrected_by(&net, kyokumen);
        let added = value - fresh(komagumi(), kyokumen);
        assert!((f64::from(added) - expected).abs() < 2.0, "{added} {expected} {kyokumen:?}");
        most = most.max(expected.abs());
    });
    assert!(most > 50.0, "{most}");
}

#[test]
fn the_even_start_is_even_and_values_stay_in_range() {
    assert_eq!(fresh(komagumi(), &Kyokumen::hirate()), 0);
    through_random_games::<Learned>(|_, value| assert!(value.abs() < 30_000));
}

#[test]
fn a_pawn_in_hand_is_worth_something_and_less_than_a_silver() {
    let value = |hand| {
        let sfen = format!("lnsgkgsnl/1r5b1/pppppppp1/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b {hand} 1");
        fresh(komagumi(), &Kyokumen::from_sfen(&sfen).unwrap())
    };
    let pawn = value("P") - value("-");
    assert!((50..500).contains(&pawn), "{pawn}");
}

#[test]
fn generals_near_the_kings_are_worth_more_than_far_away() {
    let value = |sfen: &str| fresh(komagumi(), &Kyokumen::from_sfen(sfen).unwrap());
    // Defence: the gold beside the king, and on the other wing. Attack: two ranks from the enemy king, and four.
    assert!(value("4k4/9/9/9/9/9/9/1KG6/9 b - 1") > value("4k4/9/9/9/9/9/9/1K5G1/9 b - 1"));
    assert!(value("4k4/9/4G4/9/9/9/9/9/4K4 b - 1") > value("4k4/9/9/9/4G4/9/9/9/4K4 b - 1"));
}

#[test]
fn positions_without_kings_have_a_value() {
    for sfen in ["9/9/9/9/4G4/9/9/9/9 b - 1", "4k4/9/9/9/4G4/9/9/9/9 b - 1", "9/9/9/9/4G4/9/9/9/4K4 w - 1"] {
        let value = fresh(komagumi(), &Kyokumen::from_sfen(sfen).unwrap());
        assert!((350..800).contains(&value.abs()), "{value} {sfen}");
    }
}
