import Foundation
import Testing

@testable import Transport

@Suite struct NodeInputsTests {
    private func name(_ input: NodeInput) -> Int? {
        guard case .watchExpired(let name) = input else { return nil }
        return name
    }

    @Test(.timeLimit(.minutes(5))) func `Each thread's inputs come out once and in order, and then the end`() async {
        let inputs = NodeInputs()
        let (threads, each) = (4, 2_000)
        for thread in 0..<threads {
            Thread { for number in 0..<each { inputs.yield(.watchExpired(number * threads + thread)) } }.start()
        }
        var last = [Int](repeating: -1, count: threads)
        var count = 0
        while count < threads * each {
            for input in await inputs.next() {
                guard let name = name(input) else { continue }
                #expect(name > last[name % threads])
                last[name % threads] = name
                count += 1
            }
        }
        inputs.yield(.watchExpired(1))
        inputs.finish()
        inputs.yield(.watchExpired(2))
        #expect(
            await inputs.next().compactMap(name) == [1],
            "what came before the end comes out, what came after does not"
        )
        #expect(await inputs.next().isEmpty)
    }

    @Test(.timeLimit(.minutes(5))) func `The end wakes whoever waits`() async {
        let inputs = NodeInputs()
        async let next = inputs.next()
        inputs.finish()
        #expect(await next.isEmpty)
    }
}
