/// The places where joiners and variation selectors belong to the text and hide nothing.
///
/// A zero-width joiner joins emoji (at most three in a sequence, as many as the longest known one has), both joiners
/// follow a virama, a non-joiner may stand between Arabic letters, and one variation selector may follow its base.
struct JoinerRules {
    private static let joinersAtMost = 3

    private var previous: Unicode.Scalar?
    /// Whether the text so far ends in an emoji, possibly with a skin tone or a selector.
    private var endsInPicture = false
    private var joiners = 0

    init() {}

    /// Whether the scalar is allowed anywhere at all.
    static func mayAppear(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C, 0x200D, 0x180B...0x180D, 0x180F, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
        default: false
        }
    }

    /// Whether the scalar, which draws nothing itself, may follow the text so far.
    func allows(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        guard let previous else { return false }
        switch scalar.value {
        case 0x200C:
            return isVirama(previous) || (isArabic(previous) && next.map(isArabic) == true)
        case 0x200D:
            if isVirama(previous) { return true }
            return joiners < JoinerRules.joinersAtMost && endsInPicture && next.map(isPicture) == true
        case 0x180B...0x180D, 0x180F:
            return (0x1820...0x18AA).contains(previous.value)
        case 0xFE0E, 0xFE0F:
            return previous.properties.isEmoji
        case 0xFE00...0xFE0D, 0xE0100...0xE01EF:
            return previous.properties.isIdeographic
        default:
            return false
        }
    }

    /// Records a scalar that was written unchanged.
    mutating func passed(_ scalar: Unicode.Scalar) {
        if scalar.value == 0x200D {
            joiners += 1
            endsInPicture = false
        } else if isPicture(scalar) {
            if previous?.value != 0x200D { joiners = 0 }
            endsInPicture = true
        } else if !isModifier(scalar) {
            joiners = 0
            endsInPicture = false
        }
        previous = scalar
    }

    /// Records a replacement, to which nothing may be joined.
    mutating func reset() {
        previous = nil
        endsInPicture = false
        joiners = 0
    }

    private func isModifier(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0xFE0F || scalar.properties.isEmojiModifier
    }

    /// Whether the scalar is an emoji that can be joined: no digit, skin tone, or half a flag.
    private func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0xFF && scalar.properties.isEmoji && !scalar.properties.isEmojiModifier
            && !(0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    private func isVirama(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.canonicalCombiningClass == .virama
    }

    private func isArabic(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0620...0x06D3, 0x0710...0x077F, 0x0840...0x08C7: scalar.properties.isAlphabetic
        default: false
        }
    }
}
