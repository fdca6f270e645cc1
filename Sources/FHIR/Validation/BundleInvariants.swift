// SPDX-License-Identifier: Apache-2.0

/// The R4 invariants of bundles, documents and parameters.
enum BundleInvariants {
  static let byType: [String: Invariants.Check] = [
    "Bundle": Invariants.all(totals, entries, uniqueEntries, firstEntry),
    "Bundle.entry": entry,
    "Composition.section": section,
    "Parameters.parameter": parameter,
  ]

  /// Checks bdl-1.
  private static func totals(_ value: JSONValue) -> [InvariantFinding] {
    guard let type = value.text("type") else { return [] }
    return Invariants.unless(
      !value.hasElement("total") || type == "searchset" || type == "history",
      "Only the result of a search or a history has a total (bdl-1).", at: "total")
  }

  /// Checks bdl-2, bdl-3 and bdl-4 of each entry.
  private static func entries(_ value: JSONValue) -> [InvariantFinding] {
    guard let type = value.text("type") else { return [] }
    let asks = ["batch", "transaction", "history"].contains(type)
    let answers = ["batch-response", "transaction-response", "history"].contains(type)
    var findings: [InvariantFinding] = []
    for (index, entry) in value.items("entry").enumerated() {
      guard findings.count < ResourceValidator.maximumIssues else { break }
      let place = "entry[\(index)]."
      findings += Invariants.unless(
        type == "searchset" || !entry.hasElement("search"),
        "Only the result of a search has this (bdl-2).", at: place + "search")
      findings += Invariants.unless(
        asks == entry.hasElement("request"),
        asks
          ? "Each entry of this type of Bundle needs a request (bdl-3)."
          : "An entry of this type of Bundle must not have a request (bdl-3).",
        at: place + "request")
      findings += Invariants.unless(
        answers == entry.hasElement("response"),
        answers
          ? "Each entry of this type of Bundle needs a response (bdl-4)."
          : "An entry of this type of Bundle must not have a response (bdl-4).",
        at: place + "response")
    }
    return findings
  }

  /// Checks bdl-7: two entries with one address are different versions.
  private static func uniqueEntries(_ value: JSONValue) -> [InvariantFinding] {
    guard value.text("type") != "history" else { return [] }
    var seen: Set<[String]> = []
    var findings: [InvariantFinding] = []
    for (index, entry) in value.items("entry").enumerated() {
      guard findings.count < ResourceValidator.maximumIssues else { break }
      guard let address = entry.text("fullUrl") else { continue }
      let version = entry["resource"]?["meta"]?.text("versionId") ?? ""
      if !seen.insert([address, version]).inserted {
        findings.append(
          InvariantFinding(
            element: "entry[\(index)].fullUrl",
            message: "Another entry has the same fullUrl and version (bdl-7)."))
      }
    }
    return findings
  }

  /// Checks bdl-9, bdl-10, bdl-11 and bdl-12.
  private static func firstEntry(_ value: JSONValue) -> [InvariantFinding] {
    let first = value["entry"]?[0]?["resource"]?.text("resourceType")
    switch value.text("type") {
    case "document":
      let identifier = value["identifier"]
      let isNamed = ["system", "value"].allSatisfy { identifier?.hasElement($0) ?? false }
      var findings = Invariants.unless(
        isNamed, "A document must have an identifier with a system and a value (bdl-9).",
        at: "identifier")
      findings += Invariants.unless(
        value["timestamp"] != nil, "A document must have a timestamp (bdl-10).", at: "timestamp")
      findings += Invariants.unless(
        first == "Composition", "The first entry of a document must be a Composition (bdl-11).",
        at: "entry")
      return findings
    case "message":
      return Invariants.unless(
        first == "MessageHeader", "The first entry of a message must be a MessageHeader (bdl-12).",
        at: "entry")
    default: return []
    }
  }

  /// Checks bdl-5 and bdl-8.
  private static func entry(_ value: JSONValue) -> [InvariantFinding] {
    var findings = Invariants.unless(
      ["resource", "request", "response"].contains { value.hasElement($0) },
      "An entry must have a resource, a request or a response (bdl-5).")
    let isVersion = value.text("fullUrl")?.contains("/_history/") ?? false
    findings += Invariants.unless(
      !isVersion, "A fullUrl must not name a version (bdl-8).", at: "fullUrl")
    return findings
  }

  /// Checks cmp-1 and cmp-2.
  private static func section(_ value: JSONValue) -> [InvariantFinding] {
    var findings = Invariants.unless(
      ["text", "entry", "section"].contains { value.hasElement($0) },
      "A section must have a text, entries or sections (cmp-1).")
    findings += Invariants.unless(
      !value.hasElement("emptyReason") || !value.hasElement("entry"),
      "A section with entries must not have an emptyReason (cmp-2).", at: "emptyReason")
    return findings
  }

  /// Checks inv-1.
  private static func parameter(_ value: JSONValue) -> [InvariantFinding] {
    let present = [
      value.hasChoice("value"), value.hasElement("resource"), value.hasElement("part"),
    ]
    return Invariants.unless(
      present.filter { $0 }.count == 1,
      "A parameter must have either a value, a resource or parts (inv-1).")
  }
}
