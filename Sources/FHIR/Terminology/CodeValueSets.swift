// SPDX-License-Identifier: Apache-2.0

/// A code of a value set.
public struct ValueSetCode: Sendable, Hashable {
  /// The address of the code system.
  public let system: String
  /// The code.
  public let code: String
  /// The text for people; the code itself, since R4's own displays are not shipped.
  public var display: String { code }

  /// Creates a code.
  public init(system: String, code: String) {
    self.system = system
    self.code = code
  }
}

/// The closed value sets of R4 that this module checks, for expanding them and looking up their codes.
public enum CodeValueSets {
  /// The version of FHIR that defines them.
  public static let version = "4.0.1"
  /// The start of a value set's address, before its name.
  public static let base = "http://hl7.org/fhir/ValueSet/"

  /// The names of all value sets, in alphabetical order.
  public static let names: [String] = RequiredCodes.sets.keys.sorted()

  /// Returns the name of the value set with an address, with or without the version of FHIR; nil if there is none.
  public static func name(of address: String) -> String? {
    let parts = address.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    guard let url = parts.first, url.hasPrefix(base), parts.count == 1 || parts[1] == version else {
      return nil
    }
    let name = String(url.dropFirst(base.count))
    return RequiredCodes.sets[name] == nil ? nil : name
  }

  /// Returns the codes of a value set in alphabetical order; empty for an unknown name.
  public static func codes(of name: String) -> [ValueSetCode] {
    (RequiredCodes.sets[name] ?? []).sorted().map { code in
      ValueSetCode(system: CodeSystemAddresses.system(of: code, in: name), code: code)
    }
  }

  /// Returns true if the value sets contain codes of a system.
  public static func knows(system: String) -> Bool { bySystem[system] != nil }

  /// Returns a code of a system; nil if no value set contains it.
  public static func code(_ code: String, of system: String) -> ValueSetCode? {
    guard bySystem[system]?.contains(code) == true else { return nil }
    return ValueSetCode(system: system, code: code)
  }

  private static let bySystem: [String: Set<String>] = {
    var codes: [String: Set<String>] = [:]
    for name in names {
      for one in Self.codes(of: name) { codes[one.system, default: []].insert(one.code) }
    }
    return codes
  }()
}

/// The code systems of the value sets.
enum CodeSystemAddresses {
  /// Returns the system of a code; for most value sets it has the value set's name.
  static func system(of code: String, in valueSet: String) -> String {
    if valueSet == "event-timing" {
      // R4 takes the parts of the day from its own list, and the rest from HL7 version 3.
      return partsOfDay.contains(code)
        ? "http://hl7.org/fhir/event-timing"
        : "http://terminology.hl7.org/CodeSystem/v3-TimingEvent"
    }
    return byValueSet[valueSet] ?? "http://hl7.org/fhir/\(valueSet)"
  }

  private static let partsOfDay: Set<String> = [
    "MORN", "MORN.early", "MORN.late", "NOON", "AFT", "AFT.early", "AFT.late", "EVE", "EVE.early",
    "EVE.late", "NIGHT", "PHS",
  ]

  private static let byValueSet: [String: String] = {
    var systems: [String: String] = ["units-of-time": "http://unitsofmeasure.org"]
    for name in [
      "medication-status", "medication-statement-status", "medicationrequest-intent",
      "medicationrequest-status",
    ] {
      systems[name] = "http://hl7.org/fhir/CodeSystem/\(name)"
    }
    for name in [
      "allergyintolerance-clinical", "allergyintolerance-verification", "condition-clinical",
      "condition-ver-status", "medication-admin-status", "medicationdispense-status",
    ] {
      systems[name] = "http://terminology.hl7.org/CodeSystem/\(name)"
    }
    return systems
  }()
}
