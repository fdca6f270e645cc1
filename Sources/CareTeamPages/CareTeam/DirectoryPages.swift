// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Knowledge
import Localization
import People
import Presentation
import SiteMap
import Storage
import Web

/// The directory of practitioners who chose to be listed, and the form that asks one of them for
/// care.
package enum DirectoryPages {
  private static let longest = 100

  @Sendable static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await list(call, code: "", problem: nil)
  }

  /// Redirects from a typed code to the page of its practitioner.
  static func typed(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let text = form.text("code") ?? ""
    do {
      let profile = try await profile(code: text, call, form.signedIn)
      return call.redirect(to: "\(Address.practitionerDirectory)/with/\(profile.code)")
    } catch AccountError.tooManyAttempts(let seconds) {
      return try await list(
        call, code: text,
        problem: call.localizer.text(
          "sign-in.too-many", ["minutes": .number((seconds + 59) / 60)]))
    } catch let failure as Failure where failure.status == .notFound {
      return try await list(
        call, code: text, problem: PeopleText.refusal(.codeRefused, call.localizer))
    }
  }

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await page(call, signedIn, try await listed(call, signedIn), address: nil)
  }

  static func ask(_ form: PostedForm) async throws -> Response {
    try await ask(try await listed(form.call, form.signedIn), form, address: nil)
  }

  @Sendable static func showByCode(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let code = try call.parameter("code")
    return try await page(
      call, signedIn, try await profile(code: code, call, signedIn),
      address: "\(Address.practitionerDirectory)/with/\(code)"
    )
  }

  static func askByCode(_ form: PostedForm) async throws -> Response {
    let code = try form.parameter("code")
    let profile = try await profile(code: code, form.call, form.signedIn)
    return try await ask(
      profile, form, address: "\(Address.practitionerDirectory)/with/\(code)")
  }

  // MARK: Search

  /// Returns a practitioner who is listed, or who cares for the chosen person.
  private static func listed(_ call: Call, _ signedIn: SignedIn) async throws
    -> PractitionerProfile
  {
    let account = try AccountID(call.parameter("practitioner"))
    let patient = call.patient(of: signedIn)
    let accounts = call.environment.accounts
    let found = try await call.environment.database.read { reader -> PractitionerProfile? in
      guard let profile = try accounts.profile(of: account, in: reader) else { return nil }
      let isKnown = try accounts.careRight(account, of: patient, at: call.now, in: reader) != nil
      return profile.isListed || isKnown ? profile : nil
    }
    guard let found else { throw Failure.notFound }
    return found
  }

  /// Returns the practitioner of a code; repeated attempts have to wait.
  private static func profile(
    code text: String, _ call: Call, _ signedIn: SignedIn
  ) async throws -> PractitionerProfile {
    let environment = call.environment
    let buckets = [
      SignInThrottle.Bucket.target(
        environment.accounts.attemptKey("care-code", signedIn.account.id.text))
    ]
    try await environment.codeThrottle.admit(buckets, at: call.now)
    let accounts = environment.accounts
    let found = try await environment.database.read { reader in
      try InvitationCode(typed: text).flatMap { try accounts.profile(code: $0, in: reader) }
    }
    guard let found else { throw Failure.notFound }
    try await environment.codeThrottle.succeeded(buckets)
    return found
  }

  // MARK: Request

  private static func ask(
    _ profile: PractitionerProfile, _ form: PostedForm, address: String?
  ) async throws -> Response {
    let patient = form.patient
    _ = try form.authorize(.create, "Grant")
    let environment = form.call.environment
    let accounts = environment.accounts
    let id = InvitationID(environment.newIdentifier())
    let code = InvitationCode(random: environment.random)
    let categories = PeopleText.categories(form.fields)
    return try await form.save(thenOpen: "\(Address.practitionerDirectory)?done=asked") {
      context, writer in
      try accounts.ask(
        profile.account, categories: categories, of: patient, id: id, code: code,
        by: context.actor, at: context.now, in: writer)
    } refused: { (error: GrantError) in
      guard error != .notFound else { throw error }
      return try await page(
        form.call, form.signedIn, profile, address: address, categories: categories,
        refused: error)
    }
  }

  // MARK: Pages

  private static func list(_ call: Call, code: String, problem: String?) async throws -> Response {
    let accounts = call.environment.accounts
    let all = try await call.environment.database.read { try accounts.directory(in: $0) }
    let query = String((call.queryValue("q") ?? "").prefix(longest))
    let illness = call.queryValue("illness").flatMap { $0.isEmpty ? nil : $0 }
    let found = all.filter { $0.matches(query, illness: illness) }
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("care-team.directory.title")
    frame.lead = localizer.text("care-team.directory.lead")
    frame.place = .people
    frame.back = .init(localizer.text("people.title"), address: Address.people)
    frame.hasErrors = problem != nil
    if call.queryValue("done") == "asked" {
      frame.flash = FlashBar(localizer.text("care-team.directory.asked"))
    }
    let topics =
      [FieldChoice("", localizer.text("care-team.directory.any"))]
      + Handbook.shipped.topics.map { FieldChoice($0.id, $0.title(in: localizer.language)) }
    let cards = found.prefix(100).map { profile in
      Card(
        title: profile.displayName, address: "\(Address.practitionerDirectory)/\(profile.account)",
        facts(profile, isShort: true, localizer))
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(ErrorSummary(problem.map { [FieldError(field: "code", message: $0)] } ?? [], localizer: localizer))\
      <form class="form stack" method="get" action="\(Address.practitionerDirectory)" role="search" novalidate>\
      \(FormField(
        "q", label: localizer.text("care-team.directory.search"), kind: .search, value: query,
        isRequired: false, maximumLength: longest, localizer: localizer))\
      \(FormField(
        "illness", label: localizer.text("care-team.directory.illness"), kind: .select(topics),
        value: illness ?? "", isRequired: false, localizer: localizer))\
      \(ButtonRow(Button(localizer.text("care-team.search-button"), kind: .secondary).markup))</form>\
      \(if: found.isEmpty, "<p>\(localizer.text("care-team.directory.none"))</p>")\
      <div class="grid">\(cards)</div>\
      \(Section(
        localizer.text("care-team.directory.code"),
        Form(
          action: "\(Address.practitionerDirectory)/code", token: call.accountToken,
          fields: FormField(
            "code", label: localizer.text("people.code"), value: code,
            hint: localizer.text("care-team.directory.code-hint"), error: problem,
            autocomplete: "off", maximumLength: 40, localizer: localizer).markup,
          buttons: Button(localizer.text("people.code-check"), kind: .secondary).markup
        ).markup))</div>
      """, status: problem == nil ? .ok : .unprocessableContent)
  }

  private static func page(
    _ call: Call, _ signedIn: SignedIn, _ profile: PractitionerProfile, address: String?,
    categories: Set<DataCategory> = [.medicines, .adherence, .heartRate, .messages],
    refused: GrantError? = nil
  ) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let accounts = call.environment.accounts
    let isKnown = try await call.environment.database.read { reader in
      try accounts.careRight(profile.account, of: patient, at: call.now, in: reader) != nil
    }
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = profile.displayName
    frame.place = .people
    frame.back = .init(
      localizer.text("care-team.directory.title"), address: Address.practitionerDirectory)
    let action = address ?? "\(Address.practitionerDirectory)/\(profile.account)"
    let isOwn = profile.account == signedIn.account.id
    let form: Markup =
      isKnown || isOwn
      ? "<p>\(localizer.text("care-team.directory.known", ["own": .text(isOwn ? "yes" : "no")]))</p>"
      : Form(
        action: action, token: call.formToken,
        fields: """
          <p>\(localizer.text("care-team.directory.ask-help"))</p>\
          \(PeopleText.categoryField(categories, error: nil, localizer))
          """,
        buttons: Button(
          localizer.text("care-team.directory.ask"), icon: .check,
          person: call.formToken.personName
        ).markup
      ).markup
    let notice = refused.map {
      Notice(.error, title: PeopleText.refusal($0, localizer)).markup
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(notice)\(facts(profile, isShort: false, localizer))\(form)</div>
      """, status: refused == nil ? .ok : .conflict)
  }

  private static func facts(
    _ profile: PractitionerProfile, isShort: Bool, _ localizer: Localizer
  ) -> Markup {
    func item(_ field: String, _ markup: Markup) -> DescriptionList.Item {
      .init(
        localizer.text("care-team.profile.field", ["field": .text(field)]), markup: markup)
    }
    var items: [DescriptionList.Item] = []
    if !profile.specialty.isEmpty { items.append(item("specialty", "\(profile.specialty)")) }
    if !profile.place.isEmpty { items.append(item("place", "\(profile.place)")) }
    if !profile.phone.isEmpty { items.append(item("phone", PhoneLink(profile.phone).markup)) }
    if !isShort, !profile.hours.isEmpty {
      let lines = profile.hours.split(whereSeparator: \.isNewline)
      items.append(item("hours", "\(each: lines, { "\(String($0))<br>" })"))
    }
    let topics = profile.illnesses.compactMap { Handbook.shipped.topic($0) }
    if !topics.isEmpty {
      items.append(
        item("illnesses", "\(localizer.list(topics.map { $0.title(in: localizer.language) }))"))
    }
    return DescriptionList(items).markup
  }
}

/// A link that calls a phone number.
struct PhoneLink: PagePart {
  let number: String

  init(_ number: String) { self.number = number }

  var markup: Markup {
    let digits = String(
      String.UnicodeScalarView(
        number.unicodeScalars.filter { "+0123456789".unicodeScalars.contains($0) }))
    return "<a href=\"tel:\(digits)\">\(number)</a>"
  }
}
