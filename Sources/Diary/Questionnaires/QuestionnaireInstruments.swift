// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization

/// The questionnaires that come with the program: written for it, free of licences, in each of its languages.
package enum QuestionnaireInstruments {
  /// The instruments.
  package enum Name: String, Sendable, Hashable, CaseIterable {
    /// A person's own report of how medicines are taken.
    case adherence
    /// The ease of using the program.
    case usability
    /// The aims with which the program was begun: less to remember, fewer worries, useful questions.
    case aims
    /// The weekly questions about symptoms of medicines that slow the heart, answered on their own page.
    case heartWeekly = "heart-weekly"

    /// The canonical address.
    package var url: String { "urn:regimen:questionnaire:\(rawValue)" }

    /// True if it is asked on the pages of questionnaires.
    package var isAskedHere: Bool { self != .heartWeekly }
  }

  /// The links of the weekly questions about symptoms.
  static let symptoms = ["dizzy", "tired", "breathless", "pounding", "cold", "sleep"]

  private static let version = "1"

  /// Returns an instrument of an address; nil for an address of another questionnaire.
  package static func named(url: String) -> Name? { Name.allCases.first { $0.url == url } }

  /// The instruments, ready to be asked. Tests check that none is missing.
  package static let all: [Name: Questionnaire] = Dictionary(
    Name.allCases.compactMap { name in
      QuestionnaireReader.read(resource(name)).questionnaire.map { (name, $0) }
    }, uniquingKeysWith: { first, _ in first })

  /// Returns an instrument as a FHIR Questionnaire with all translations.
  package static func resource(_ name: Name) -> JSONValue {
    var resource: JSONValue = [
      "resourceType": "Questionnaire", "id": .string("regimen-\(name.rawValue)"), "language": "en",
    ]
    if let score = score(of: name) {
      resource["extension"] = [
        ["url": .string(QuestionnaireReader.scoreURL), "valueString": .string(score)]
      ]
    }
    resource["url"] = .string(name.url)
    resource["version"] = .string(version)
    resource["name"] = .string("Regimen_\(name.rawValue.replacing("-", with: "_"))")
    write(title(of: name), as: "title", into: &resource)
    resource["status"] = "active"
    resource["subjectType"] = ["Patient"]
    write(introduction(of: name), as: "description", into: &resource)
    resource["item"] = .array(items(of: name))
    return resource
  }

  /// Returns a text of the catalogue in all languages.
  static func text(
    _ name: String, _ arguments: MessageArguments = [:]
  ) -> QuestionnaireText {
    inAllLanguages { $0.text(MessageKey("questionnaires.\(name)"), arguments) }
  }

  private static func inAllLanguages(_ words: (Localizer) -> String) -> QuestionnaireText {
    let others = Language.allCases.filter { $0 != .en }.map { ($0, words(Localizer.of($0))) }
    return QuestionnaireText(
      words(Localizer.of(.en)),
      translations: Dictionary(others, uniquingKeysWith: { first, _ in first }))
  }

  private static func title(of name: Name) -> QuestionnaireText {
    name == .heartWeekly
      ? inAllLanguages { $0.text("heart-rate-monitoring.symptoms.title", [:]) }
      : text("\(name.rawValue).title")
  }

  private static func introduction(of name: Name) -> QuestionnaireText {
    name == .heartWeekly
      ? inAllLanguages { $0.text("heart-rate-monitoring.symptoms.lead", [:]) }
      : text("\(name.rawValue).introduction")
  }

  // MARK: Items

  private static func score(of name: Name) -> String? {
    switch name {
    case .adherence: "sum(-forgot, -late, -skipped, -changed, -ran-out) * 5 missing mean 1"
    case .usability:
      "sum(often, -complex, easy, -help, parts, -surprises, learn, -awkward, sure, -much) * 2.5"
        + " missing mean 2"
    case .aims: "mean(simple, reminded, calm, informed, -disturbed) * 25 missing mean 1"
    case .heartWeekly: "sum(\(symptoms.joined(separator: ", ")))"
    }
  }

  private static func items(of name: Name) -> [JSONValue] {
    let form = name.rawValue
    switch name {
    case .adherence:
      let questions = ["forgot", "late", "skipped", "changed", "ran-out"].map {
        choice(form, $0, from: .frequency)
      }
      return questions + [reasons(form), note(form, "other", when: ("reasons", "other"))]
    case .usability:
      let statements = [
        "often", "complex", "easy", "help", "parts", "surprises", "learn", "awkward", "sure",
        "much",
      ].map { choice(form, $0, from: .agreement) }
      return statements + [note(form, "comment")]
    case .aims:
      let statements = ["simple", "reminded", "calm", "informed"].map {
        choice(form, $0, from: .agreement)
      }
      let isWatched: JSONValue = [
        ["question": "watch", "operator": "=", "answerBoolean": true]
      ]
      let disturbed = item(
        form, "disturbed", type: "choice",
        more: [
          ("answerValueSet", .string(QuestionnaireSets.Name.agreement.url)),
          ("enableWhen", isWatched),
        ])
      let watch = item(form, "watch", type: "boolean", isRequired: true)
      return statements + [watch, disturbed, note(form, "comment")]
    case .heartWeekly: return symptoms.map(symptom)
    }
  }

  private static func item(
    _ form: String, _ link: String, type: String, isRequired: Bool = false,
    more: [(String, JSONValue)] = []
  ) -> JSONValue {
    var item: JSONValue = ["linkId": .string(link)]
    write(text("\(form).\(link)"), as: "text", into: &item)
    item["type"] = .string(type)
    if isRequired { item["required"] = true }
    for (name, value) in more { item[name] = value }
    return item
  }

  private static func choice(
    _ form: String, _ link: String, from set: QuestionnaireSets.Name
  ) -> JSONValue {
    item(form, link, type: "choice", more: [("answerValueSet", .string(set.url))])
  }

  private static func note(
    _ form: String, _ link: String, when condition: (question: String, code: String)? = nil
  ) -> JSONValue {
    var more: [(String, JSONValue)] = [("maxLength", 1_000)]
    if let condition {
      let rule: JSONValue = [
        "question": .string(condition.question), "operator": "=",
        "answerCoding": ["system": .string(reasonSystem), "code": .string(condition.code)],
      ]
      more.append(("enableWhen", .array([rule])))
    }
    return item(form, link, type: "text", more: more)
  }

  private static let reasonSystem = "urn:regimen:missed-reason"

  /// The reasons for doses left out on purpose, asked only if there were any.
  private static func reasons(_ form: String) -> JSONValue {
    let codes = ["side-effects", "felt-well", "too-many", "cost", "doubts", "other"]
    let options = codes.map { code -> JSONValue in
      var coding: JSONValue = ["system": .string(reasonSystem), "code": .string(code)]
      write(text("\(form).reason", ["reason": .text(code)]), as: "display", into: &coding)
      return ["valueCoding": coding]
    }
    let never: JSONValue = [
      "system": .string(QuestionnaireSets.Name.frequency.url), "code": "never",
    ]
    let rules: JSONValue = [
      ["question": "skipped", "operator": "exists", "answerBoolean": true],
      ["question": "skipped", "operator": "!=", "answerCoding": never],
    ]
    return item(
      form, "reasons", type: "choice",
      more: [
        ("repeats", true), ("answerOption", .array(options)), ("enableBehavior", "all"),
        ("enableWhen", rules),
      ])
  }

  /// A weekly question, answered from 0 to 3, as its stored answers are.
  private static func symptom(_ link: String) -> JSONValue {
    var item: JSONValue = [
      "extension": [
        ["url": .string(QuestionnaireParts.minValue), "valueInteger": 0],
        ["url": .string(QuestionnaireParts.maxValue), "valueInteger": 3],
        [
          "url": .string(QuestionnaireParts.itemControl),
          "valueCodeableConcept": ["coding": [["code": "slider"]]],
        ],
      ],
      "linkId": .string(link),
    ]
    write(
      inAllLanguages { $0.text("heart-rate-monitoring.symptoms.question", ["which": .text(link)]) },
      as: "text", into: &item)
    item["type"] = "integer"
    item["required"] = true
    item["item"] = [end(link, "lower", grade: "g0"), end(link, "upper", grade: "g3")]
    return item
  }

  private static func end(_ link: String, _ control: String, grade: String) -> JSONValue {
    var item: JSONValue = [
      "extension": [
        [
          "url": .string(QuestionnaireParts.itemControl),
          "valueCodeableConcept": ["coding": [["code": .string(control)]]],
        ]
      ],
      "linkId": .string("\(link)-\(control)"),
    ]
    write(
      inAllLanguages { $0.text("heart-rate-monitoring.symptoms.grade", ["grade": .text(grade)]) },
      as: "text", into: &item)
    item["type"] = "display"
    return item
  }

  private static func write(
    _ text: QuestionnaireText, as name: String, into value: inout JSONValue
  ) {
    value[name] = .string(text.base)
    let translations = Language.allCases.compactMap { language -> JSONValue? in
      guard let words = text.translations[language] else { return nil }
      return [
        "url": .string(QuestionnaireParts.translation),
        "extension": [
          ["url": "lang", "valueCode": .string(language.tag)],
          ["url": "content", "valueString": .string(words)],
        ],
      ]
    }
    if !translations.isEmpty { value["_\(name)"] = ["extension": .array(translations)] }
  }
}
