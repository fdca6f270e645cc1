// SPDX-License-Identifier: Apache-2.0

/// The figures of the summary: counts and means, in which cells with fewer than five participants are marked.
struct StudyTally: Sendable {
  /// The fewest participants of a cell that is shown.
  static let fewest = 5
  /// The name of the row for everyone.
  private static let everyone = "all"

  private struct Group: Sendable {
    var participants = 0
    var withdrawn = 0
    var sums: [Double] = []
    var counts: [Int] = []
  }

  private var groups: [String: Group] = [:]

  /// Adds a participant.
  mutating func count(_ record: StudyRecord) {
    let arm = record.source.arm(record.participant)
    let values = record.outcomes
    for name in arm.isEmpty ? [Self.everyone] : [Self.everyone, arm] {
      var group = groups[name] ?? Group()
      group.participants += 1
      if record.participant.withdrawn != nil { group.withdrawn += 1 }
      if group.sums.isEmpty {
        group.sums = [Double](repeating: 0, count: values.count)
        group.counts = [Int](repeating: 0, count: values.count)
      }
      for (index, value) in values.enumerated() {
        guard let value else { continue }
        group.sums[index] += value
        group.counts[index] += 1
      }
      groups[name] = group
    }
  }

  /// Adds the figures of another page.
  mutating func add(_ other: StudyTally) {
    for (name, more) in other.groups {
      guard var group = groups[name] else {
        groups[name] = more
        continue
      }
      group.participants += more.participants
      group.withdrawn += more.withdrawn
      for index in group.sums.indices where more.sums.indices.contains(index) {
        group.sums[index] += more.sums[index]
        group.counts[index] += more.counts[index]
      }
      groups[name] = group
    }
  }

  /// Returns a count as it is shown: a small one only as such.
  static func cell(_ count: Int) -> String {
    count > 0 && count < fewest ? "<\(fewest)" : String(count)
  }

  /// Returns the rows of the summary.
  func rows(of study: StudyDefinition) -> [[String]] {
    var rows: [[String]] = []
    for (arm, group) in groups.sorted(by: { $0.key < $1.key }) {
      rows.append([arm, "participants", Self.cell(group.participants)])
      rows.append([arm, "withdrawn", Self.cell(group.withdrawn)])
      for (index, outcome) in study.outcomes.enumerated()
      where group.counts.indices.contains(index) {
        let count = group.counts[index]
        rows.append([arm, "\(outcome.id) participants", Self.cell(count)])
        let mean =
          count >= Self.fewest
          ? StudyLine.text(group.sums[index] / Double(count)) : "suppressed"
        rows.append([arm, "\(outcome.id) mean", mean])
      }
    }
    return rows
  }
}
