// SPDX-License-Identifier: Apache-2.0

/// The extensions that list days, and a caution if there are others.
struct TimingExtensions {
  var daysOfMonth: Set<Int>?
  var daysOfCycle: Set<Int>?
  var cautions: [TimingCaution] = []

  private static let dayOfMonth = "http://hl7.org/fhir/StructureDefinition/timing-dayOfMonth"
  private static let cycle = "http://hl7.org/fhir/StructureDefinition/timing-daysOfCycle"

  /// Parses the extensions of a Timing and of its `repeat`; either may have them.
  init(_ timing: NodeReader, _ recurrence: NodeReader?) throws(TimingError) {
    for reader in [timing, recurrence] {
      guard let reader else { continue }
      for member in reader.members where !member.name.isSame(as: "extension") {
        let isOwnObject = reader.path.utf8.isEmpty && member.name.isSame(as: "repeat")
        let isSibling = member.name.utf8.first == UInt8(ascii: "_")
        if isSibling || !isOwnObject && Self.isExtended(member.value) { note(.unknownExtension) }
      }
      for node in try reader.list("extension") ?? [] {
        try read(NodeReader(node, path: "extension"))
      }
    }
  }

  /// Returns true if the node contains an extension at any depth.
  private static func isExtended(_ node: TimingNode) -> Bool {
    switch node {
    case .object(let members):
      members.contains { member in
        member.name.isSame(as: "extension") || member.name.isSame(as: "modifierExtension")
          || member.name.utf8.first == UInt8(ascii: "_") || isExtended(member.value)
      }
    case .list(let items): items.contains { isExtended($0) }
    case .text, .number, .flag, .null: false
    }
  }

  private mutating func read(_ extensionReader: NodeReader) throws(TimingError) {
    guard let url = try extensionReader.text("url") else {
      throw TimingError("extension.url", .empty)
    }
    if url.isSame(as: Self.dayOfMonth) {
      let day = try Self.day(extensionReader, "dayOfMonth")
      if day > 31 { throw TimingError("extension.dayOfMonth", .outOfRange) }
      daysOfMonth = (daysOfMonth ?? []).union([day])
    } else if url.isSame(as: Self.cycle) {
      var days = daysOfCycle ?? []
      for node in try extensionReader.list("extension") ?? [] {
        let part = try NodeReader(node, path: "extension.daysOfCycle")
        guard let name = try part.text("url"), name.isSame(as: "day") else {
          throw TimingError("extension.daysOfCycle", .unknownElement)
        }
        days.insert(try Self.day(part, "daysOfCycle"))
      }
      if days.isEmpty { throw TimingError("extension.daysOfCycle", .empty) }
      daysOfCycle = days
    } else {
      note(.unknownExtension)
    }
  }

  private static func day(_ reader: NodeReader, _ name: String) throws(TimingError) -> Int {
    for key in ["valuePositiveInt", "valueInteger", "valueUnsignedInt"] {
      guard let node = reader[key] else { continue }
      let day = try NodeReader.integer(node, "extension." + name)
      if day < 1 { throw TimingError("extension." + name, .notPositive) }
      return day
    }
    throw TimingError("extension." + name, .empty)
  }

  private mutating func note(_ caution: TimingCaution) {
    if !cautions.contains(caution) { cautions.append(caution) }
  }
}
