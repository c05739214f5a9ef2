import Entries

extension ChunkOutcome {
    /// What the vectors call it: of a violation, its innermost reason.
    var vectorName: String {
        switch self {
        case .verified: "verified"
        case .doesNotFit: "doesNotFit"
        case .certificateMissing: "certificateMissing"
        case .prefixDiffers: "prefixDiffers"
        case .unknownRoot: "unknownRoot"
        case .violation(.certificate(let error)): "\(error)"
        case .violation(.entries(let error)): "\(error)"
        case .violation(let violation): "\(violation)"
        }
    }
}
