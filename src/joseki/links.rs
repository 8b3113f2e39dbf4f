//! Which positions of a book lead to which, for writing formats in which positions are found by walking from roots.

/// For each position the positions that its moves lead to, as indices into the book.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Where the targets of each position end.
    ends: Vec<u64>,
    /// Indices; those that are too large are of positions outside the book.
    pub(super) targets: Vec<u32>,
}

impl Links {
    /// Completes the next position; its targets were pushed to `targets` before.
    pub(super) fn end_position(&mut self) {
        self.ends.push(self.targets.len() as u64);
    }

    pub(super) fn targets_of(&self, position: usize) -> &[u32] {
        let start = position.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.targets[start..self.ends[position] as usize]
    }

    /// The fewest positions that must be named so that all others follow from them, but for cycles, of which the first
    /// position is taken: `first` at any rate, then those that no other leads to.
    pub(super) fn roots(&self, first: Option<usize>) -> Vec<u32> {
        let positions = self.ends.len();
        let mut is_target = vec![false; positions];
        for &target in &self.targets {
            if let Some(is_target) = is_target.get_mut(target as usize) {
                *is_target = true;
            }
        }
        let mut roots = Vec::new();
        let mut reached = vec![false; positions];
        let mut open = Vec::new();
        let unled = (0..positions).filter(|&position| !is_target[position]);
        for root in first.into_iter().chain(unled).chain(0..positions) {
            if std::mem::replace(&mut reached[root], true) {
                continue;
            }
            roots.push(root as u32);
            open.push(root as u32);
            while let Some(position) = open.pop() {
                for &target in self.targets_of(position as usize) {
                    if reached.get(target as usize) == Some(&false) {
                        reached[target as usize] = true;
                        open.push(target);
                    }
                }
            }
        }
        roots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(targets: &[&[u32]]) -> Links {
        let mut links = Links::default();
        for targets in targets {
            links.targets.extend_from_slice(targets);
            links.end_position();
        }
        links
    }

    #[test]
    fn roots_are_what_nothing_leads_to_and_one_of_each_cycle() {
        assert!(links(&[]).roots(None).is_empty());
        assert_eq!(links(&[&[1], &[2, 9], &[], &[2]]).roots(None), [0, 3]);
        assert_eq!(links(&[&[1], &[2], &[0], &[0]]).roots(None), [3]);
        assert_eq!(links(&[&[1], &[0], &[3], &[2]]).roots(None), [0, 2]);
        assert_eq!(links(&[&[1], &[0], &[3], &[2]]).roots(Some(3)), [3, 0]);
    }
}
