internal import Entries

/// Payloads of every kind: the form and the decoder agree, and what is read is written so that it reads as the same.
enum PayloadFuzz {
    static func run(_ input: inout FuzzInput) {
        let kind = UInt16(input.byte())
        let bytes = input.all()
        let payload: Payload
        do throws(PayloadError) {
            payload = try Payload.decode(kind: kind, bytes: bytes)
        } catch .refusedByDecoder {
            broken("the strict form passed and the decoder refused")
        } catch {
            return
        }
        if payload.kind.rawValue != kind { broken("another kind") }
        let written = payload.encode()
        guard let again = try? Payload.decode(kind: kind, bytes: written) else { broken("what was written is refused") }
        // Texts are equal where they are canonically equivalent, so the bytes are compared too.
        if again != payload || again.encode() != written { broken("what was written reads as something else") }
    }
}
