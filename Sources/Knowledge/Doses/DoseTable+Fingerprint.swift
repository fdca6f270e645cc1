// SPDX-License-Identifier: Apache-2.0

extension DoseTable {
  /// A digest of the whole table.
  ///
  /// An approval covers only the content that was reviewed, even if someone forgot to raise the version.
  public var fingerprint: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in content.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return String(hash, radix: 16)
  }

  private var content: String {
    func text(_ mass: IngredientMass?) -> String { mass.map { "\($0.micrograms)" } ?? "-" }
    let head = [
      id, "\(version)", ingredient, region.rawValue, measure.rawValue,
      strengths.map { "\($0.mass.micrograms)/\($0.volume.microlitres)" }.joined(separator: ";"),
      "\(fromMonths)", "\(hours)", text(dayPerKilogram), text(dayInAll),
      daySources.joined(separator: ","), sources.joined(separator: ","), facts.rawValue,
    ]
    let lines = rows.map { row in
      [
        "\(row.from)", row.below.map { "\($0)" } ?? "-", text(row.least), text(row.most),
        "\(row.doses)", row.heavierThan.map { "\($0)" } ?? "-", "\(row.needsTerm)",
        row.sources.joined(separator: ","), row.facts.rawValue,
      ].joined(separator: " ")
    }
    return (head + lines).joined(separator: "\n")
  }
}
