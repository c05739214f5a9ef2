import Testing
import Transport

@testable import scurry

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

struct NodeGlanceTests {
    @Test(arguments: [EMFILE, ENFILE])
    func `A command that may open no more files does not say that the node is silent`(code: Int32) throws {
        let error = SystemError(call: "socket", path: "/tmp/home/control", code: code)
        let failure = try #require(NodeGlance.Answer(.interrupted(error)).failure)
        #expect(failure.hint == Problems.filesHelp)
        #expect(!failure.message.string.contains("does not answer"))
    }

    @Test func `A node that breaks the connection is silent`() {
        let error = SystemError(call: "recv", path: "/tmp/home/control", code: ECONNRESET)
        let answer = NodeGlance.Answer(.interrupted(error))
        guard case .silent(let node) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(node == SilentNode(nil) && answer.failure == nil)
    }

    @Test func `One that hangs is ended, and nothing else`() {
        let node = SilentNode(getpid())
        #expect(node.state == "process \(getpid()) runs, and does not answer")
        #expect(node.help == "kill \(getpid()), then scurry run")
        #expect(SilentNode(nil).help == "end the node, then scurry run")
    }
}
