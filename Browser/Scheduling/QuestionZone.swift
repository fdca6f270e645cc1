// SPDX-License-Identifier: Apache-2.0

extension Zone {
  /// Reads `{"offset","changes":[[utcSeconds,offset],...]}`, the form in which the server writes a zone for the page.
  ///
  /// The list is valid for the period that the server states; the page must not ask about times outside it.
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

  /// Reads seconds since 1970 as 64 bits, because WebAssembly's 32-bit integers end in 2038.
  private static func whole(_ node: TimingNode) throws(TimingError) -> Int64 {
    guard case .number(let text) = node, let number = ExactNumber(text)?.whole else {
      throw TimingError("zone.changes", .wrongType("a number"))
    }
    return number
  }
}
