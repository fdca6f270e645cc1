// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Presentation
import SiteMap
import Studies
import Web

/// The page on which a person reads the consent, answers the questions and signs.
struct StudyJoinPage: Sendable {
  /// The form as it was filled in.
  struct Input: Sendable {
    var answers: [String: Bool] = [:]
    var understanding: [String: String] = [:]
    var name = ""

    init() {}

    init(_ fields: FormBody, _ study: StudyDefinition) {
      for question in study.eligibility.questions {
        answers[question.id] = fields.text("condition-\(question.id)").map { $0 == "yes" }
      }
      for question in study.consent.questions {
        understanding[question.id] = fields.text("understanding-\(question.id)")
      }
      name = fields.text("name") ?? ""
    }
  }

  let definition: StudyDefinition
  let candidate: StudyCandidate
  var input = Input()
  var error: StudyError?

  init(definition: StudyDefinition, candidate: StudyCandidate) {
    self.definition = definition
    self.candidate = candidate
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = definition.title.text(in: localizer.language)
    frame.lead = localizer.text("studies.join.lead")
    frame.place = .me
    frame.back = .init(
      definition.title.text(in: localizer.language),
      address: "\(Address.studies)/\(definition.id)")
    guard call.person?.isOwn ?? true else {
      return call.formPage(
        frame, errors: [],
        Notice(.information, title: localizer.text("studies.only-oneself")).markup)
    }
    if let hindrance = definition.hindrance(candidate, language: call.language, answers: nil) {
      return call.formPage(
        frame, errors: [],
        Notice(.information, title: text(hindrance, localizer)).markup)
    }
    return call.formPage(
      frame, errors: errors(localizer), hasSections: true,
      "\(consent(localizer))\(form(call))")
  }

  private func text(_ hindrance: StudyHindrance, _ localizer: Localizer) -> String {
    localizer.text("studies.hindrance", ["reason": .text(hindrance.rawValue)])
  }

  /// Returns the mistakes of the form, in the order of its fields.
  private func errors(_ localizer: Localizer) -> [FieldError] {
    switch error {
    case .notEligible(let hindrance)?:
      let field = definition.eligibility.questions.first.map { "condition-\($0.id)" } ?? "name"
      return [FieldError(field: field, message: text(hindrance, localizer))]
    case .misunderstood(let questions)?:
      return questions.map {
        FieldError(
          field: "understanding-\($0)", message: localizer.text("studies.join.misunderstood"))
      }
    case .signature(let maximum)?:
      return [
        FieldError(
          field: "name",
          message: localizer.text("studies.join.name-missing", ["maximum": .number(maximum)]))
      ]
    case .oldConsent?:
      return [FieldError(field: "name", message: localizer.text("studies.join.changed"))]
    default: return []
    }
  }

  private func consent(_ localizer: Localizer) -> Markup {
    let paragraphs = definition.consent.paragraphs(in: localizer.language)
    return Section(
      localizer.text("studies.join.consent"),
      "<div class=\"stack\">\(each: paragraphs, { "<p>\($0)</p>" })</div>"
    ).markup
  }

  private func form(_ call: Call) -> Markup {
    let localizer = call.localizer
    let mistakes = errors(localizer)
    func mistake(_ field: String) -> String? {
      mistakes.first { $0.field == field }?.message
    }
    let language = localizer.language
    let answers = ["yes", "no"].map { answer in
      FieldChoice(answer, localizer.text("studies.answer", ["answer": .text(answer)]))
    }
    let conditions = definition.eligibility.questions.map { question in
      FormField(
        "condition-\(question.id)", label: question.text.text(in: language),
        kind: .radios(answers),
        value: input.answers[question.id].map { $0 ? "yes" : "no" } ?? "",
        error: mistake("condition-\(question.id)"), localizer: localizer
      ).markup
    }
    let understanding = definition.consent.questions.map { question in
      FormField(
        "understanding-\(question.id)", label: question.text.text(in: language),
        kind: .radios(
          question.choices.map { FieldChoice($0.id, $0.text.text(in: language)) }),
        value: input.understanding[question.id] ?? "",
        error: mistake("understanding-\(question.id)"), localizer: localizer
      ).markup
    }
    let name = FormField(
      "name", label: localizer.text("studies.join.name"), value: input.name,
      hint: localizer.text("studies.join.name-hint"), error: mistake("name"),
      autocomplete: "name", maximumLength: StudyCommands.longestName, localizer: localizer)
    let version = String(definition.version)
    return Form(
      action: "\(Address.studies)/\(definition.id)/join", token: call.formToken,
      fields: """
        <input type="hidden" name="version" value="\(version)">\
        \(each: conditions, { $0 })\(each: understanding, { $0 })\(name)
        """,
      buttons: Button(
        localizer.text("studies.join.sign"), icon: .pencil, person: call.formToken.personName
      ).markup
    ).markup
  }
}
