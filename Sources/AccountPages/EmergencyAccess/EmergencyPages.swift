// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Observations
import People
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The practitioner's first page in an emergency, and the page on which the person later reads
/// about it.
package enum EmergencyPages {
  /// The address of the page that tells those who act for a person who opened the data.
  package static let toldPath = "/privacy/emergencies"

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = EmergencyID(try call.parameter("emergency"))
    guard let found = call.people.compactMap(\.emergency).first(where: { $0.id == id }) else {
      throw Failure.notFound
    }
    let patient = found.patient
    let here = call.opening(patient)
    let authorization = try here.authorize(.read, "Patient", of: patient)
    let part = try await HealthProfilePart.read(
      of: patient, input: HealthProfileInput(), here, signedIn)
    let environment = call.environment
    let details = try await environment.database.read { reader in
      try PeopleQueries.details(patient, in: reader)?.details
    }
    guard let known = details else { throw Failure.notFound }
    try await environment.audit(authorization, count: 1, at: call.now)
    return EmergencyPage(details: known, care: part).response(here)
  }

  @Sendable static func end(_ form: PostedForm) async throws -> Response {
    let account = form.signedIn.account
    // Requires a session: programs have no emergency access.
    guard form.signedIn.actor.kind == .session else { throw Failure.notFound }
    let id = EmergencyID(try form.parameter("emergency"))
    let environment = form.call.environment
    let accounts = environment.accounts
    do {
      try await form.run { context, writer in
        try accounts.endEmergency(id, by: account.id, at: context.now, in: writer)
      }
    } catch is EmergencyError {
      throw Failure.notFound
    }
    environment.sessions.forget()
    return form.redirect(to: "/", cookies: [form.call.choiceCookie(account.patient)])
  }

  /// Shows who opened the chosen person's data, when and why.
  @Sendable static func told(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    guard call.person?.mayAct ?? true else { return call.redirect(to: Address.people) }
    let authorization = try call.authorize(.read, "AuditEvent", of: patient)
    let environment = call.environment
    let (looks, zone) = try await environment.database.read { reader in
      (
        try environment.accounts.emergencies(
          of: [patient], since: Timestamp(milliseconds: 0), in: reader),
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      )
    }
    try await environment.audit(authorization, count: looks.count, at: call.now)
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("emergency-access.told.title")
    frame.lead = localizer.text("emergency-access.told.lead")
    frame.place = .me
    frame.back = .init(localizer.text("privacy.title"), address: Address.privacy)
    let words = DoseFormatter(localizer: localizer, zone: zone, now: call.now)
    guard !looks.isEmpty else {
      return call.page(
        frame, EmptyState(icon: .lock, text: localizer.text("emergency-access.told.none")).markup)
    }
    return call.page(
      frame,
      """
      <div class="narrow stack">\(each: looks, { EmergencyAccessEntry(look: $0, words: words).markup })\
      </div>
      """)
  }
}

/// One emergency access, as the person and administrators read it.
struct EmergencyAccessEntry: PagePart {
  let look: EmergencyAccess
  let words: DoseFormatter

  var markup: Markup {
    Card(
      title: look.byName, level: .second,
      """
      <p>\(words.dated(look.started)) – \(words.time(look.ends))</p>\
      <blockquote><p>\(look.reason)</p></blockquote>
      """
    ).markup
  }
}

/// The most important facts about the person, with links to the rest.
private struct EmergencyPage {
  let details: PatientDetails
  let care: HealthProfilePart

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = details.displayName
    frame.place = .people
    frame.lead = details.birthDate.map {
      localizer.text(
        "emergency-access.born", ["date": .text(care.words.date($0, .medium))])
    }
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\
      \(ButtonRow("""
        \(LinkButton(
          localizer.text("medicines.title"), address: "/medicines", kind: .primary, icon: .pill))\
        \(LinkButton(localizer.text("today.title"), address: "/", icon: .sun))\
        \(LinkButton(localizer.text("history.title"), address: "/history", icon: .calendar))
        """))\
      \(care.overview)</div>
      """)
  }
}

extension HealthProfilePart {
  /// Allergies and the last weight, for viewers.
  fileprivate var overview: Markup {
    let localizer = words.localizer
    let known: Markup =
      allergies.isEmpty
      ? "<p>\(localizer.text("emergency-access.no-allergies"))</p>"
      : """
      <ul>\(each: allergies, line)</ul>
      """
    let weight: Markup? = weights.first.map { weight in
      Section(
        localizer.text("health-profile.weights.title"),
        "<p>\(spoken(weight)) · \(day(of: weight))</p>"
      ).markup
    }
    return "\(Section(localizer.text("health-profile.allergies.title"), known))\(weight)"
  }

  private func line(_ allergy: Allergy) -> Markup {
    "<li><strong>\(allergy.name)</strong>\(allergy.reaction.map { " · \($0)" as Markup })</li>"
  }
}
