// SPDX-License-Identifier: Apache-2.0

/// The R4 invariants of forms and their answers.
enum QuestionnaireInvariants {
  static let byType: [String: Invariants.Check] = [
    "Questionnaire": uniqueLinks,
    "Questionnaire.item": Invariants.all(content, answers, initialValues),
    "Questionnaire.item.enableWhen": existence,
    "QuestionnaireResponse.item": nestedAnswers,
  ]

  private static let answerTypes: Set<String> = [
    "choice", "open-choice", "decimal", "integer", "date", "dateTime", "time", "string", "quantity",
  ]
  private static let lengthTypes: Set<String> = [
    "boolean", "decimal", "integer", "string", "text", "url", "open-choice",
  ]

  /// Checks que-2: every linkId occurs once.
  private static func uniqueLinks(_ value: JSONValue) -> [InvariantFinding] {
    var seen: Set<String> = []
    var findings: [InvariantFinding] = []
    collect(value, path: "", into: &seen, &findings)
    return findings
  }

  private static func collect(
    _ value: JSONValue, path: String, into seen: inout Set<String>,
    _ findings: inout [InvariantFinding]
  ) {
    for (index, item) in value.items("item").enumerated() {
      guard findings.count < ResourceValidator.maximumIssues else { return }
      let place = "\(path)item[\(index)]."
      if let link = item.text("linkId"), !seen.insert(link).inserted {
        findings.append(
          InvariantFinding(
            element: place + "linkId", message: "Another item has the same linkId (que-2)."))
      }
      collect(item, path: place, into: &seen, &findings)
    }
  }

  /// Checks que-1, que-3, que-6, que-9 and que-12.
  private static func content(_ value: JSONValue) -> [InvariantFinding] {
    let type = value.text("type")
    var findings: [InvariantFinding] = []
    if type == "group" {
      findings += Invariants.unless(
        value.hasElement("item"), "A group must have items (que-1).", at: "item")
    }
    if type == "display" {
      for (element, rule) in [
        ("item", "que-1"), ("code", "que-3"), ("required", "que-6"), ("repeats", "que-6"),
        ("readOnly", "que-9"),
      ] {
        findings += Invariants.unless(
          !value.hasElement(element), "An item of the type display must not have this (\(rule)).",
          at: element)
      }
    }
    findings += Invariants.unless(
      value.items("enableWhen").count < 2 || value.hasElement("enableBehavior"),
      "Several conditions need an enableBehavior (que-12).", at: "enableBehavior")
    return findings
  }

  /// Checks que-7.
  private static func existence(_ value: JSONValue) -> [InvariantFinding] {
    guard value.text("operator") == "exists", value.hasChoice("answer") else { return [] }
    return Invariants.unless(
      value.hasElement("answerBoolean"), "The operator exists needs a boolean answer (que-7).",
      at: "answer")
  }

  /// Checks qrs-1.
  private static func nestedAnswers(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      !value.hasElement("answer") || !value.hasElement("item"),
      "An item with an answer must have its nested items below the answer (qrs-1).", at: "item")
  }

  /// Checks que-4, que-5 and que-10.
  private static func answers(_ value: JSONValue) -> [InvariantFinding] {
    guard let type = value.text("type") else { return [] }
    var findings = Invariants.unless(
      !value.hasElement("answerOption") || !value.hasElement("answerValueSet"),
      "Send answerOption or answerValueSet, not both (que-4).", at: "answerValueSet")
    for element in ["answerOption", "answerValueSet"] {
      findings += Invariants.unless(
        answerTypes.contains(type) || !value.hasElement(element),
        "An item of this type must not have a list of answers (que-5).", at: element)
    }
    findings += Invariants.unless(
      lengthTypes.contains(type) || !value.hasElement("maxLength"),
      "An item of this type must not have a maxLength (que-10).", at: "maxLength")
    return findings
  }

  /// Checks que-8, que-11 and que-13.
  private static func initialValues(_ value: JSONValue) -> [InvariantFinding] {
    guard value.hasElement("initial") else { return [] }
    let type = value.text("type")
    var findings = Invariants.unless(
      type != "group" && type != "display",
      "An item of the type group or display must not have an initial value (que-8).", at: "initial")
    findings += Invariants.unless(
      !value.hasElement("answerOption"),
      "Mark the initial answer with initialSelected instead (que-11).", at: "initial")
    findings += Invariants.unless(
      value["repeats"]?.bool == true || value.items("initial").count < 2,
      "Only an item that repeats may have several initial values (que-13).", at: "initial")
    return findings
  }
}
