//! The texts of some positions of a file that is searched in place, side by side in memory: a bisection that begins
//! with them touches the file itself in a few neighbouring places only.

/// About how many positions are kept.
const SAMPLES: usize = 1 << 14;
/// How far apart they stand at least.
const SPACING: usize = 1 << 11;
/// Longer texts are not kept; no position that a lookup knows has one.
const LONGEST: usize = 256;

/// Positions in the order of the file.
#[derive(Debug)]
pub(super) struct Samples {
    spacing: usize,
    texts: Vec<u8>,
    /// Where each text ends, and the offset of its line in the file.
    places: Vec<(usize, usize)>,
}

impl Samples {
    /// None yet, for a file of so many bytes.
    pub(super) fn new(length: usize) -> Samples {
        Samples::with_spacing((length / SAMPLES).max(SPACING))
    }

    pub(super) fn with_spacing(spacing: usize) -> Samples {
        Samples { spacing, texts: Vec::new(), places: Vec::new() }
    }

    /// Offers the next position with the offset of its line; it is kept if the last one is far enough away.
    pub(super) fn offer(&mut self, offset: usize, text: &[u8]) {
        let is_far = self.places.last().is_none_or(|&(_, last)| offset - last >= self.spacing);
        if is_far && text.len() <= LONGEST {
            self.texts.extend_from_slice(text);
            self.places.push((self.texts.len(), offset));
        }
    }

    /// Gives back memory that is not needed, once all were offered.
    pub(super) fn finish(mut self) -> Samples {
        self.texts.shrink_to_fit();
        self.places.shrink_to_fit();
        self
    }

    /// The offsets of the last position whose text is less, and of the first one whose text is not.
    pub(super) fn around(&self, text: &[u8]) -> (Option<usize>, Option<usize>) {
        let (mut low, mut high) = (0, self.places.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.text(middle) < text {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let offset = |nth: usize| self.places.get(nth).map(|&(_, offset)| offset);
        (low.checked_sub(1).and_then(offset), offset(low))
    }

    fn text(&self, nth: usize) -> &[u8] {
        let end = |nth: usize| self.places.get(nth).map_or(0, |&(end, _)| end);
        self.texts.get(nth.checked_sub(1).map_or(0, end)..end(nth)).unwrap_or_default()
    }
}
