//! The tables of komagumi: what a place is worth by its distance to a king, for every square and king square.
//!
//! Two small tables by the difference in ranks and files say how useful a piece is for attack and for defence, in
//! percent. They are spread at compile time over all pairs of squares, for both sides: own attackers and the enemy king,
//! own defenders and the own king, and the same for the enemy. Left and right count alike.

use crate::kyokumen::{Masu, Teban};

/// A place's worth in percent, by king square (the last row: no king) and square.
pub(super) type Table = [[i16; Masu::COUNT]; Masu::COUNT + 1];

/// The row for a side without a king: nothing is near to him.
pub(super) const NO_OU: usize = Masu::COUNT;

/// Percent for an attacker, by the number of king's steps between him and the enemy king.
const ATTACK_BY_STEPS: [i16; 9] = [100, 100, 80, 56, 36, 22, 12, 6, 0];
/// Taken off for an attacker who has gone past the king and must come back.
const PAST_THE_OU: i16 = 20;

/// Percent for a defender, by the number of king's steps between him and the own king.
const DEFENCE_BY_STEPS: [i16; 9] = [100, 100, 70, 32, 10, 0, 0, 0, 0];
/// Taken off for a defender behind the king, where attacks seldom come from.
const BEHIND_THE_OU: i16 = 25;

/// What attackers of a side gain by their place, by the enemy king's square and theirs.
pub(super) static ATTACK: [Table; 2] = [spread(Role::Attack, false), spread(Role::Attack, true)];

/// What defenders of a side gain by their place, by the own king's square and theirs.
pub(super) static DEFENCE: [Table; 2] = [spread(Role::Defence, false), spread(Role::Defence, true)];

/// What the king himself gains by his place in an opening, in centipawns, by square.
pub(super) static OU_PLACE: [[i16; Masu::COUNT]; 2] = {
    let mut tables = [[0; Masu::COUNT]; 2];
    let mut index = 0;
    while index < Masu::COUNT {
        let (suji, dan) = coordinates(index);
        let place = OU_BY_SUJI[(suji - 5).unsigned_abs() as usize] + OU_BY_DAN[dan as usize - 1];
        tables[Teban::Sente.index()][index] = place;
        tables[Teban::Gote.index()][Masu::COUNT - 1 - index] = place;
        index += 1;
    }
    tables
};

/// By the files between the king and the middle: he goes aside, and best not quite to the edge.
const OU_BY_SUJI: [i16; 5] = [-40, -20, 5, 25, 20];
/// By the rank, 1 to 9, as the owner counts: he stays at home.
const OU_BY_DAN: [i16; 9] = [-80, -90, -110, -120, -110, -90, -50, 0, -5];

/// `dans` is how many ranks the attacker stands short of the king; negative once past him.
const fn attack(dans: i32, sujis: i32) -> i16 {
    let percent = ATTACK_BY_STEPS[steps(dans, sujis)];
    if dans >= 0 { percent } else { floor(percent - PAST_THE_OU) }
}

/// `dans` is how many ranks the defender stands behind the king; negative in front of him.
const fn defence(dans: i32, sujis: i32) -> i16 {
    let percent = DEFENCE_BY_STEPS[steps(dans, sujis)];
    if dans <= 0 { percent } else { floor(percent - BEHIND_THE_OU) }
}

const fn floor(percent: i16) -> i16 {
    if percent < 0 { 0 } else { percent }
}

/// Steps of a king from one square to the other.
const fn steps(dans: i32, sujis: i32) -> usize {
    let (dans, sujis) = (dans.unsigned_abs() as usize, sujis as usize);
    if dans > sujis { dans } else { sujis }
}

/// File and rank, 1 to 9, of a square's index.
const fn coordinates(index: usize) -> (i32, i32) {
    (index as i32 / 9 + 1, index as i32 % 9 + 1)
}

/// What a piece near a king is there for.
#[derive(Clone, Copy)]
enum Role {
    Attack,
    Defence,
}

/// The rule of a role over all pairs of squares as Sente sees them, or turned for Gote.
const fn spread(role: Role, turned: bool) -> Table {
    let mut table = [[0; Masu::COUNT]; Masu::COUNT + 1];
    let mut ou = 0;
    while ou < Masu::COUNT {
        let mut masu = 0;
        while masu < Masu::COUNT {
            let ((suji, dan), (ou_suji, ou_dan)) = (coordinates(masu), coordinates(ou));
            let (dans, sujis) = (dan - ou_dan, (suji - ou_suji).abs());
            let percent = match role {
                Role::Attack => attack(dans, sujis),
                Role::Defence => defence(dans, sujis),
            };
            if turned {
                table[Masu::COUNT - 1 - ou][Masu::COUNT - 1 - masu] = percent;
            } else {
                table[ou][masu] = percent;
            }
            masu += 1;
        }
        ou += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masu(text: &str) -> usize {
        let bytes = text.as_bytes();
        Masu::from_usi([bytes[0], bytes[1]]).unwrap().index()
    }

    #[test]
    fn left_and_right_count_alike() {
        let mirrored = |index: usize| (8 - index / 9) * 9 + index % 9;
        for side in 0..2 {
            for index in 0..81 {
                assert_eq!(OU_PLACE[side][index], OU_PLACE[side][mirrored(index)]);
                for ou in 0..81 {
                    assert_eq!(ATTACK[side][ou][index], ATTACK[side][mirrored(ou)][mirrored(index)]);
                    assert_eq!(DEFENCE[side][ou][index], DEFENCE[side][mirrored(ou)][mirrored(index)]);
                }
            }
        }
    }

    #[test]
    fn both_sides_count_alike_from_where_they_sit() {
        for index in 0..81 {
            for ou in 0..81 {
                assert_eq!(ATTACK[0][ou][index], ATTACK[1][80 - ou][80 - index]);
                assert_eq!(DEFENCE[0][ou][index], DEFENCE[1][80 - ou][80 - index]);
            }
        }
    }

    #[test]
    fn nearer_is_better_and_the_wrong_side_of_the_king_is_worse() {
        let sente = ATTACK[0][masu("5a")];
        assert!(sente[masu("5c")] < sente[masu("5b")] && sente[masu("5d")] < sente[masu("5c")]);
        let inside = ATTACK[0][masu("5e")];
        assert!(inside[masu("5d")] < inside[masu("5f")]);
        let home = DEFENCE[0][masu("8h")];
        assert!(home[masu("8i")] < home[masu("8g")] && home[masu("6h")] < home[masu("7h")]);
    }

    #[test]
    fn without_a_king_no_place_is_worth_anything() {
        for side in 0..2 {
            assert_eq!((ATTACK[side][NO_OU], DEFENCE[side][NO_OU]), ([0; 81], [0; 81]));
        }
    }
}
