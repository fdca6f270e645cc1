// SPDX-License-Identifier: Apache-2.0

extension InteractionList {
  /// The list that ships with the program, without other rows.
  public static let shipped = InteractionList(Handbook.shipped)

  /// Creates a list with the rows of a handbook.
  public init(_ handbook: Handbook) {
    interactions = handbook.interactions
    version = handbook.interactionsVersion
    own = nil
    index = InteractionIndex(interactions)
  }

  /// Creates a list with the rows of a handbook and others: one with a known id replaces the handbook's.
  ///
  /// - Parameters:
  ///   - rows: the lines of the operator's file after its heading.
  ///   - ownVersion: the version in the file, otherwise a digest of it.
  ///   - unread: the lines that are not valid rows.
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
