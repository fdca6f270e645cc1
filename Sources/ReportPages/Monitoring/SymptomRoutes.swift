// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HeartRate
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Observations
import People
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// Weekly questions about how someone feels, and the answers of the last weeks.
enum SymptomRoutes {
  static let all: [Route] = [
    .page(.get, path, form), .form(path, submit), .page(.get, "\(path).json", bundle),
  ]

  static let path = "/heart-rate/questions"

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await page(call, signedIn, typed: [:], isMissing: false)
  }

  private static func page(
    _ call: Call, _ signedIn: SignedIn, typed: [SymptomQuestion: Int], isMissing: Bool
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, VitalCommands.resource, of: patient)
    let environment = call.environment
    let (zone, weeks) = try await environment.database.read { reader in
      (
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
        try SymptomWeeks.all(of: patient, in: reader)
      )
    }
    try await environment.audit(authorization, count: weeks.count, at: call.now)
    return SymptomPage(
      weeks: weeks, clock: MedicineClock(zone: zone, localizer: call.localizer),
      typed: typed, isMissing: isMissing
    ).response(call)
  }

  private static func submit(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.create, VitalCommands.resource)
    var answers: [SymptomQuestion: Int] = [:]
    for question in SymptomQuestion.allCases {
      answers[question] = form.text(question.rawValue).flatMap { Int($0) }
    }
    let (patient, localizer) = (form.patient, form.localizer)
    do {
      try await form.run { [answers] context, writer in
        try SymptomWeeks.save(
          answers, of: patient, text: { SymptomPage.text(of: $0, localizer) }, context,
          in: writer)
      }
    } catch HeartRateError.value {
      return try await page(form.call, form.signedIn, typed: answers, isMissing: true)
    }
    return form.redirect(to: "\(path)?done=symptoms")
  }

  /// Returns questions and answers as a FHIR Bundle.
  private static func bundle(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, VitalCommands.resource, of: patient)
    let localizer = call.localizer
    let bundle = try await call.environment.database.read { reader in
      try SymptomWeeks.bundle(
        of: patient, text: { SymptomPage.text(of: $0, localizer) },
        title: localizer.text("heart-rate-monitoring.symptoms.title"), in: reader)
    }
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return JSONResponse.make(bundle)
  }
}

struct SymptomPage: Sendable {
  let weeks: [SymptomWeek]
  let clock: MedicineClock
  let typed: [SymptomQuestion: Int]
  let isMissing: Bool

  private var localizer: Localizer { clock.localizer }

  static func text(of question: SymptomQuestion, _ localizer: Localizer) -> String {
    localizer.text("heart-rate-monitoring.symptoms.question", ["which": .text(question.rawValue)])
  }

  private func grade(_ grade: Int) -> String {
    localizer.text("heart-rate-monitoring.symptoms.grade", ["grade": .text("g\(grade)")])
  }

  func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("heart-rate-monitoring.symptoms.title")
    frame.lead = localizer.text("heart-rate-monitoring.symptoms.lead")
    frame.place = .progress
    frame.back = .init(
      localizer.text("heart-rate-monitoring.title"), address: Address.heartRateMonitoring)
    frame.hasErrors = isMissing
    if call.queryValue("done") != nil {
      frame.flash = FlashBar(
        localizer.text("heart-rate-monitoring.done", ["what": .text("symptoms")]))
    }
    let missing = localizer.text("heart-rate-monitoring.symptoms.missing")
    let open = SymptomQuestion.allCases.filter { isMissing && typed[$0] == nil }
    let errors = open.map { FieldError(field: $0.rawValue, message: missing) }
    return call.formPage(
      frame, errors: errors, status: isMissing ? .unprocessableContent : .ok,
      """
      \(Form(
        action: SymptomRoutes.path, token: call.formToken,
        fields: "\(each: SymptomQuestion.allCases, { field($0, open.contains($0) ? missing : nil) })",
        buttons: Button(
          localizer.text("heart-rate-monitoring.symptoms.save"), person: call.formToken.personName).markup))\
      \(answered)<p class="muted">\(localizer.text("heart-rate-monitoring.disclaimer"))</p>
      """)
  }

  private func field(_ question: SymptomQuestion, _ error: String?) -> Markup {
    FormField(
      question.rawValue, label: Self.text(of: question, localizer),
      kind: .radios(
        SymptomQuestion.grades.map { FieldChoice(String($0), grade($0)) }, isCompact: true),
      value: typed[question].map { String($0) }, error: error, localizer: localizer
    ).markup
  }

  private var answered: Markup {
    guard !weeks.isEmpty else { return Markup() }
    let caption = localizer.text("heart-rate-monitoring.symptoms.answered")
    return """
      <div class="table-scroll" role="region" aria-label="\(caption)" tabindex="0">\
      <table class="table"><caption>\(caption)</caption><thead><tr>\
      <th scope="col">\(localizer.text("heart-rate.day"))</th>\(each: SymptomQuestion.allCases, {
        "<th scope=\"col\">\(Self.text(of: $0, localizer))</th>" as Markup
      })</tr></thead><tbody>\(each: weeks, { week in
        """
        <tr><th scope="row">\(clock.text(week.week, .short))</th>\
        \(each: SymptomQuestion.allCases, { question in
          "<td>\(week.answers[question].map(grade) ?? "–")</td>" as Markup
        })</tr>
        """ as Markup
      })</tbody></table></div>\(LinkButton(
        localizer.text("heart-rate-monitoring.symptoms.file"), address: "\(SymptomRoutes.path).json",
        icon: .download))
      """
  }
}
