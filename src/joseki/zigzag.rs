//! Numbers with a sign as numbers without: 0, -1, 1, -2 become 0, 1, 2, 3, so that small ones stay small.

pub(super) const fn zigzag(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)) as u32
}

pub(super) const fn unzigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_back_and_the_smallest_come_first() {
        assert_eq!([0, -1, 1, -2, 2, i32::MAX, i32::MIN].map(zigzag), [0, 1, 2, 3, 4, u32::MAX - 1, u32::MAX]);
        for number in (-1000..1000).chain([i32::MIN, i32::MIN + 1, i32::MAX]) {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
    }
}
