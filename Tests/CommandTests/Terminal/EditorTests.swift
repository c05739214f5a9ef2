import Foundation
import Testing

@testable import scurry

struct EditorTests {
    private let folder: TemporaryFolder
    private let draft: Draft

    init() throws {
        folder = try TemporaryFolder()
        draft = Draft(path: folder.file("draft"))
    }

    /// An editor that is a line of shell; `$1` is the draft.
    private func editor(_ script: String) throws -> Editor {
        try folder.write(script + "\n", to: "editor.sh")
        return Editor(
            environment: Environment(["PATH": "/usr/bin:/bin", "EDITOR": "sh '\(folder.file("editor.sh"))'"])
        )
    }

    @Test func `VISUAL comes before EDITOR before vi`() {
        #expect(Editor(environment: Environment(["VISUAL": "emacs", "EDITOR": "ed"])).command == "emacs")
        #expect(Editor(environment: Environment(["VISUAL": "", "EDITOR": "ed"])).command == "ed")
        #expect(Editor(environment: Environment([:])).command == "vi")
    }

    @Test func `The text above the scissors is what was written`() throws {
        let editor = try editor("{ echo '  an answer  '; echo; echo two; cat \"$1\"; } > \"$1.x\"; mv \"$1.x\" \"$1\"")
        let written = try editor.write(
            draft,
            answering: SafeText(body: "why?\n\(Draft.scissors)\nreally?"),
            again: "scurry reply ny6c"
        )
        #expect(written == .text("  an answer  \n\ntwo"))
        #expect(folder.has("draft"))
        draft.discard()
        #expect(!folder.has("draft"))
    }

    @Test func `The question is shown, and nothing of it is posted`() throws {
        let editor = try editor("cp \"$1\" '\(folder.file("seen"))'")
        #expect(
            try editor.write(draft, answering: SafeText(body: "why\u{1B}[2J?"), again: "scurry reply ny6c") == .nothing
        )
        #expect(try folder.read("seen").contains("why␛[2J?"))
        #expect(!folder.has("draft"))
    }

    @Test func `Lines that an editor ends with a carriage return are cut off at the scissors too`() throws {
        let dos = "awk '{ printf \"%s\\r\\n\", $0 }' \"$1\" > \"$1.x\"; mv \"$1.x\" \"$1\""
        let question = SafeText(body: "why?")
        #expect(try editor(dos).write(draft, answering: question, again: "scurry reply ny6c") == .nothing)
        let answered = "{ echo one; echo two; cat \"$1\"; } > \"$1.y\"; mv \"$1.y\" \"$1\"; \(dos)"
        let written = try editor(answered).write(draft, answering: question, again: "scurry reply ny6c")
        #expect(written == .text("one\r\ntwo"))
    }

    @Test func `An empty file posts nothing`() throws {
        #expect(try editor(": > \"$1\"").write(draft, answering: nil, again: "scurry reply ny6c") == .nothing)
        #expect(
            try editor("printf ' \\n\\t\\n' > \"$1\"").write(draft, answering: nil, again: "scurry reply ny6c")
                == .nothing
        )
        #expect(try editor("rm \"$1\"").write(draft, answering: nil, again: "scurry reply ny6c") == .nothing)
        #expect(!folder.has("draft"))
    }

    @Test func `A crash keeps the draft, and the next try shows it`() throws {
        let failure = try #require(throws: Failure.self) {
            try editor("echo half a thought > \"$1\"; kill -9 $$").write(
                draft,
                answering: "why?",
                again: "scurry reply ny6c"
            )
        }
        #expect(failure.message.string.contains(draft.path))
        #expect(failure.hint?.string == "scurry reply ny6c opens it again")
        #expect(try draft.text() == "half a thought")
        #expect(
            try editor("true").write(draft, answering: "why?", again: "scurry reply ny6c") == .text("half a thought")
        )
    }

    @Test func `An editor that is not there is named`() throws {
        let editor = Editor(environment: Environment(["PATH": "/usr/bin:/bin", "EDITOR": "no-such-editor"]))
        let failure = #expect(throws: Failure.self) {
            try editor.write(draft, answering: nil, again: "scurry reply ny6c")
        }
        #expect(failure?.message.string.contains("no-such-editor") == true)
        #expect(failure?.hint?.string == "EDITOR=nano scurry reply ny6c")
    }

    @Test func `Nobody else can read the draft`() throws {
        try draft.prepare(question: nil)
        let mode = try FileManager.default.attributesOfItem(atPath: draft.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `A link in the draft's place is not followed`() throws {
        try folder.write("secret", to: "other")
        try FileManager.default.createSymbolicLink(atPath: draft.path, withDestinationPath: folder.file("other"))
        #expect(throws: Failure.self) { try draft.prepare(question: nil) }
        #expect(try folder.read("other") == "secret")
    }

    @Test func `The folder of drafts may be a link`() throws {
        let (real, link) = (folder.file("real"), folder.file("link"))
        try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
        let draft = Draft(path: link + "/post")
        try draft.put("a text")
        #expect(try draft.text() == "a text" && draft.keptNumbers == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: real) == ["post"])
    }

    @Test func `A draft that is no text or far too long is refused and kept`() throws {
        try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: draft.path))
        #expect(throws: Failure.self) { try draft.text() }
        try Data(count: Draft.fileBytesAtMost + 1).write(to: URL(fileURLWithPath: draft.path))
        #expect(throws: Failure.self) { try draft.text() }
        #expect(folder.has("draft"))
    }
}
