// SPDX-License-Identifier: Apache-2.0

extension InteractionList {
  /// The one that ships, alone.
  public static let shipped = InteractionList(Handbook.shipped)

  /// The rows of a handbook.
  public init(_ handbook: Handbook) {
    interactions = handbook.interactions
    version = handbook.interactionsVersion
    own = nil
    index = InteractionIndex(interactions)
  }

  /// The rows of a handbook with others over and beside them: one with a known id takes its place.
  ///
  /// - Parameters:
  ///   - rows: the lines of the operator's file behind its heading.
  ///   - ownVersion: what the file says of itself, else a digest of it.
  ///   - unread: lines that no row could be made of.
  public init(
    _ handbook: Handbook, rows: [(line: Int, cells: [String])], ownVersion: String,
    unread: [Int] = []
  ) {
    var all = handbook.interactions
    var places = Dictionary(
      all.enumerated().map { ($1.id.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    var refused = unread.map {
      Refused(line: $0, problem: .cells(expected: Interaction.columns.count))
    }
    var seen: Set<String> = []
    var corrections = 0
    for (line, cells) in rows {
      do throws(InteractionRowProblem) {
        let read = try Interaction(cells: cells, isOwn: true)
        let key = read.id.lowercased()
        guard seen.insert(key).inserted else { throw InteractionRowProblem.twice }
        if let place = places[key] {
          all[place] = read
          corrections += 1
        } else {
          places[key] = all.count
          all.append(read)
        }
      } catch {
        refused.append(Refused(line: line, problem: error))
      }
    }
    interactions = all
    version = handbook.interactionsVersion
    own = Own(
      version: ownVersion, count: seen.count, corrections: corrections,
      refused: refused.sorted { $0.line < $1.line })
    index = InteractionIndex(all)
  }
}
