import Foundation
import NIOPosix
import Testing

@testable import Transport

@Suite struct CoresTests {
    @Test func `Each thread has cores of its own, and all are taken`() {
        for cores in [[0], [0, 1], [3, 5, 8], Array(0..<7), Array(10..<26)] {
            for count in 1...4 {
                let parts = (0..<count).map { Cores.part($0, of: count, among: cores) }
                #expect(parts.allSatisfy { !$0.isEmpty })
                #expect(Set(parts.joined()) == Set(cores))
                guard count <= cores.count else { continue }
                #expect(parts.joined().count == cores.count, "no core is two threads'")
            }
        }
        #expect(Cores.part(0, of: 2, among: []).isEmpty)
    }

    /// Each on a thread of its own, which ends with it: the test's own thread keeps its cores.
    @Test(.enabled(if: Cores.allowed.count > 1)) func `A thread runs on its part, and no other thread is moved`() {
        let before = Cores.allowed
        for index in 0..<2 {
            let ended = DispatchSemaphore(value: 0)
            nonisolated(unsafe) var taken: [Int] = []
            Thread {
                Cores.take(index, of: 2)
                taken = Cores.allowed
                ended.signal()
            }.start()
            ended.wait()
            #expect(taken == Cores.part(index, of: 2, among: before))
        }
        #expect(Cores.allowed == before)
    }
}
