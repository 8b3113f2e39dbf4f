//! A position as the numbers see it.

use komadai::hyoka::weights::{in_hand, place, to_enemy_ou, to_own_ou};
use komadai::hyoka::{material, phase};
use komadai::kyokumen::{Kyokumen, Syurui, Teban};

/// What a position is made of, from Sente's side.
#[derive(Default)]
pub struct Features {
    /// Which numbers count, and how often: those of Gote count negatively.
    pub counts: Vec<(u16, i8)>,
    /// In centipawns.
    pub material: f32,
    /// Parts of the opening and of the endgame, which add up to 1.
    pub phases: [f32; 2],
}

impl Features {
    /// Takes the features of a position.
    pub fn fill(&mut self, kyokumen: &Kyokumen) {
        self.counts.clear();
        for masu in kyokumen.occupied() {
            let koma = kyokumen.koma(masu);
            let (Some(syurui), Some(teban)) = (koma.syurui(), koma.teban()) else { continue };
            let sign = sign(teban);
            self.counts.push((place(syurui, teban, masu) as u16, sign));
            if syurui == Syurui::Ou {
                continue;
            }
            if let Some(ou) = kyokumen.ou(teban) {
                self.counts.push((to_own_ou(syurui, teban, masu, ou) as u16, sign));
            }
            if let Some(ou) = kyokumen.ou(!teban) {
                self.counts.push((to_enemy_ou(syurui, teban, masu, ou) as u16, sign));
            }
        }
        for teban in Teban::ALL {
            for (syurui, count) in kyokumen.motigoma(teban).iter() {
                self.counts.extend((1..=count).map(|number| (in_hand(syurui, number) as u16, sign(teban))));
            }
        }
        self.material = material::balance(kyokumen) as f32;
        let endgame = phase::of(kyokumen).min(phase::ENDGAME) as f32 / phase::ENDGAME as f32;
        self.phases = [1.0 - endgame, endgame];
    }
}

fn sign(teban: Teban) -> i8 {
    match teban {
        Teban::Sente => 1,
        Teban::Gote => -1,
    }
}
