// SPDX-License-Identifier: Apache-2.0

extension Zone {
  /// Reads `{"offset","changes":[[utcSeconds,offset],...]}`, as the server writes a zone for the page.
  ///
  /// The list holds for the stretch of time that the server names; who asks has to stay within it.
  init(question node: TimingNode) throws(TimingError) {
    let reader = try NodeReader(node, path: "zone")
    guard let offset = try reader.integer("offset") else { throw reader.error("offset", .empty) }
    var transitions: [ZoneTransition] = []
    for item in try reader.list("changes") ?? [] {
      guard case .list(let pair) = item, pair.count == 2 else {
        throw reader.error("changes", .malformed("pairs of numbers"))
      }
      transitions.append(
        ZoneTransition(
          utcSeconds: try Self.whole(pair[0]),
          offsetSeconds: try NodeReader.integer(pair[1], "zone.changes")))
    }
    self.init(
      identifier: "", transitions: transitions, initialOffsetSeconds: offset, rule: nil)
  }

  /// Seconds since 1970 do not fit the integers of WebAssembly's 32 bits beyond 2038.
  private static func whole(_ node: TimingNode) throws(TimingError) -> Int64 {
    guard case .number(let text) = node, let number = ExactNumber(text)?.whole else {
      throw TimingError("zone.changes", .wrongType("a number"))
    }
    return number
  }
}
