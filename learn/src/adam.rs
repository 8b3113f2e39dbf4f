//! The optimiser Adam (Kingma and Ba, 2014) on all numbers at once.

pub struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

const KEEP_MEAN: f32 = 0.9;
const KEEP_SQUARE: f32 = 0.999;

impl Adam {
    pub fn new(length: usize) -> Adam {
        Adam { means: vec![0.0; length], squares: vec![0.0; length], steps: 0 }
    }

    /// One step against the gradient, which is set back to 0. Numbers without any gradient so far stay as they are.
    pub fn step(&mut self, numbers: &mut [f32], gradient: &mut [f32], rate: f32) {
        self.steps += 1;
        let (mean_part, square_part) = (1.0 - KEEP_MEAN.powi(self.steps), 1.0 - KEEP_SQUARE.powi(self.steps));
        let state = self.means.iter_mut().zip(&mut self.squares);
        for ((number, slope), (mean, square)) in numbers.iter_mut().zip(gradient).zip(state) {
            *mean = KEEP_MEAN * *mean + (1.0 - KEEP_MEAN) * *slope;
            *square = KEEP_SQUARE * *square + (1.0 - KEEP_SQUARE) * *slope * *slope;
            if *square > 0.0 {
                *number -= rate * (*mean / mean_part) / ((*square / square_part).sqrt() + 1e-9);
            }
            *slope = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bottom_of_a_bowl_is_found() {
        let (mut numbers, mut gradient) = (vec![5.0f32, -3.0, 7.0], vec![0.0f32; 3]);
        let mut adam = Adam::new(3);
        for _ in 0..2_000 {
            gradient[0] = numbers[0] - 1.0;
            gradient[1] = 100.0 * (numbers[1] - 2.0);
            adam.step(&mut numbers, &mut gradient, 0.05);
        }
        assert!((numbers[0] - 1.0).abs() < 0.05 && (numbers[1] - 2.0).abs() < 0.05, "{numbers:?}");
        assert_eq!(numbers[2], 7.0);
    }
}
