// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Knowledge
import Localization
import People
import Presentation
import SiteMap
import Storage
import Web

/// A practitioner's own entry in the directory, with its code, link and QR code.
package enum CareProfilePage {
  static let path = "/care/profile"

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let profile = try await own(call, signedIn)
    return page(call, signedIn, profile, problem: nil)
  }

  static func save(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    var profile = try await own(call, signedIn)
    profile.isListed = form.isChecked("listed")
    profile.specialty = form.text("specialty") ?? ""
    profile.place = form.text("place") ?? ""
    profile.phone = form.text("phone") ?? ""
    profile.hours = form.text("hours") ?? ""
    let known = Set(Handbook.shipped.topics.map(\.id))
    profile.illnesses = form.fields.all("illness").filter(known.contains)
    let lines = [profile.specialty, profile.place, profile.phone]
    if lines.contains(where: { $0.count > PractitionerProfile.longest })
      || profile.hours.count > PractitionerProfile.longestHours
    {
      return page(call, signedIn, profile, problem: "long")
    }
    if !profile.phone.isEmpty,
      !profile.phone.contains(where: \.isNumber)
        || !profile.phone.allSatisfy({ $0.isNumber || " +-()/.".contains($0) })
    {
      return page(call, signedIn, profile, problem: "phone")
    }
    let (accounts, kept) = (call.environment.accounts, profile)
    try await form.run { context, writer in
      try accounts.save(kept, at: context.now, in: writer)
    }
    return form.redirect(to: "\(Address.careTeam)?done=\(CarePanelPage.Done.profile.rawValue)")
  }

  /// Returns the profile, or a new one; "not found" for anyone who is not confirmed.
  private static func own(_ call: Call, _ signedIn: SignedIn) async throws -> PractitionerProfile {
    let account = signedIn.account
    guard signedIn.actor.kind == .session else { throw Failure.notFound }
    let accounts = call.environment.accounts
    let (isConfirmed, found) = try await call.environment.database.read { reader in
      (
        try accounts.isPractitioner(account.id, in: reader),
        try accounts.profile(of: account.id, in: reader)
      )
    }
    guard isConfirmed else { throw Failure.notFound }
    if let found { return found }
    // The page needs the code, so it is created first.
    let made = PractitionerProfile(
      account: account.id, displayName: account.displayName,
      code: InvitationCode(random: call.environment.random).text)
    let now = call.now
    return try await call.environment.database.write { writer in
      if let already = try accounts.profile(of: account.id, in: writer) { return already }
      try accounts.save(made, at: now, in: writer)
      return made
    }
  }

  private static func page(
    _ call: Call, _ signedIn: SignedIn, _ profile: PractitionerProfile, problem: String?
  ) -> Response {
    let localizer = call.localizer
    var frame = call.careFrame(signedIn)
    frame.title = localizer.text("care-team.profile.title")
    frame.lead = localizer.text("care-team.profile.lead")
    frame.back = .init(localizer.text("care-team.title"), address: Address.careTeam)
    frame.hasErrors = problem != nil
    let message = problem.map {
      localizer.text("care-team.profile.problem", ["problem": .text($0)])
    }
    let errors = message.map {
      [FieldError(field: problem == "phone" ? "phone" : "specialty", message: $0)]
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(ErrorSummary(errors ?? [], localizer: localizer))\
      \(Form(
        action: path, token: call.accountToken, fields: fields(profile, problem, message, localizer),
        buttons: Button(localizer.text("care-team.profile.save"), icon: .check).markup))\
      \(code(profile, call))</div>
      """, status: problem == nil ? .ok : .unprocessableContent)
  }

  private static func fields(
    _ profile: PractitionerProfile, _ problem: String?, _ message: String?, _ localizer: Localizer
  ) -> Markup {
    func line(_ name: String, _ value: String, _ kind: FieldKind = .text) -> FormField {
      FormField(
        name, label: localizer.text("care-team.profile.field", ["field": .text(name)]), kind: kind,
        value: value, error: (problem == "phone") == (name == "phone") ? message : nil,
        isRequired: false, maximumLength: PractitionerProfile.longest, localizer: localizer)
    }
    let topics = Handbook.shipped.topics.map {
      FieldChoice($0.id, $0.title(in: localizer.language))
    }
    return """
      \(line("specialty", profile.specialty))\(line("place", profile.place))\
      \(line("phone", profile.phone, .telephone))\
      \(FormField(
        "hours", label: localizer.text("care-team.profile.field", ["field": "hours"]),
        kind: .lines(3), value: profile.hours, isRequired: false,
        maximumLength: PractitionerProfile.longestHours, localizer: localizer))\
      \(FormField(
        "illness", label: localizer.text("care-team.profile.field", ["field": "illnesses"]),
        kind: .checkboxes(topics), values: profile.illnesses, isRequired: false,
        localizer: localizer))\
      \(FormField(
        "listed", label: localizer.text("care-team.profile.field", ["field": "listed"]),
        kind: .checkboxes([FieldChoice("yes", localizer.text("care-team.profile.listed-yes"))]),
        values: profile.isListed ? ["yes"] : [],
        hint: localizer.text("care-team.profile.listed-hint"), isRequired: false,
        localizer: localizer))
      """
  }

  private static func code(_ profile: PractitionerProfile, _ call: Call) -> Markup {
    let localizer = call.localizer
    let link = "\(call.baseURL)/doctors/with/\(profile.code)"
    let picture = LinkPicture(link, label: localizer.text("care-team.profile.picture"))
    return Section(
      localizer.text("care-team.profile.code"),
      """
      <div class="stack"><p>\(localizer.text("care-team.profile.code-help"))</p>\
      <p class="fingerprint" translate="no">\(profile.code)</p>\
      <p class="break-anywhere" translate="no">\(link)</p>\(picture)</div>
      """
    ).markup
  }
}
