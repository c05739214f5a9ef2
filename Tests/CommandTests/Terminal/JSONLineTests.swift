import Foundation
import Testing

@testable import scurry

struct JSONLineTests {
    @Test func `Keys keep the order in which they were set`() {
        var object = JSONObject(["id": "k7fa", "up": 6, "title": nil, "channels": ["a", "b"], "deleted": false])
        object["author"] = .object(JSONObject(["name": "hazel"]))
        object["up"] = .unsigned(.max)
        #expect(
            object.line == #"{"id":"k7fa","up":18446744073709551615,"title":null,"channels":["a","b"],"deleted":false,"#
                + #""author":{"name":"hazel"}}"#
        )
    }

    @Test func `A removed key is gone`() {
        var object = JSONObject(["a": 1, "b": 2])
        object["a"] = nil
        #expect(object.line == #"{"b":2}"#)
    }

    @Test(arguments: [
        ("\u{1B}[2J", #"\u001b[2J"#), ("\"\\/", #"\"\\/"#), ("a\nb\tc\r", #"a\nb\tc\r"#), ("\u{0}", #"\u0000"#),
        ("\u{7F}\u{9B}", #"\u007f\u009b"#), ("\u{2028}\u{202E}\u{2066}", #"\u2028\u202e\u2066"#),
        ("\u{E0041}", #"\udb40\udc41"#),
        ("Grüße 木", "Grüße 木"), ("\u{200D}", #"\u200d"#),
    ])
    func `No string reaches a terminal raw`(text: String, escaped: String) {
        #expect(JSONObject(["t": .string(text)]).line == "{\"t\":\"\(escaped)\"}")
    }

    @Test func `Another reader finds the same text`() throws {
        var random = Seeded.fresh()
        for _ in 0..<500 {
            let text = random.text(scalars: 30)
            let line = JSONObject([text: .string(text), "n": .integer(.min)]).line
            let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(
                (read?[text] as? String).map { Array($0.unicodeScalars) } == Array(text.unicodeScalars),
                "seed \(random.seed)"
            )
            #expect(
                !line.contains("\n") && line.unicodeScalars.allSatisfy { !Sanitizer.isForbidden($0) },
                "seed \(random.seed)"
            )
        }
    }
}
