/// A first-in, first-out queue over one array.
package struct Queue<Element> {
    private var elements: [Element] = []
    private var head = 0

    package init() {}

    package var count: Int { elements.count - head }
    package var isEmpty: Bool { head == elements.count }
    package var first: Element? { isEmpty ? nil : elements[head] }

    package mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func append(contentsOf more: some Sequence<Element>) {
        elements.append(contentsOf: more)
    }

    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        head += 1
        // Half of the array is consumed: moving the remainder costs a constant share for each element, and consumed
        // messages hold no more memory than as many waiting ones.
        if head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func popFirst(_ limit: Int) -> [Element] {
        var popped: [Element] = []
        while popped.count < limit, let element = popFirst() { popped.append(element) }
        return popped
    }

    mutating func removeAll() {
        elements = []
        head = 0
    }
}

extension Queue {
    /// Visits the waiting elements in order.
    func forEach(_ body: (Element) -> Void) {
        for place in head..<elements.count { body(elements[place]) }
    }
}

extension Queue: Sendable where Element: Sendable {}
