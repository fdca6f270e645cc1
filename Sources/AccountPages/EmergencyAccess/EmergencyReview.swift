// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import Scheduling
import Storage
import TimeZones
import Web

/// The list of emergency accesses that administrators review: who, when and why; patients appear
/// only by identifier.
package enum EmergencyReview {
  /// The address of the list.
  package static let path = "/emergencies"
  private static let most = 200

  @Sendable static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    guard signedIn.actor.isAdministrator else { throw Failure.notFound }
    return try await page(call, signedIn, refused: nil)
  }

  @Sendable static func review(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    guard signedIn.actor.isAdministrator else { throw Failure.notFound }
    let id = EmergencyID(try form.parameter("emergency"))
    let (accounts, account) = (call.environment.accounts, signedIn.account.id)
    do {
      try await form.run { context, writer in
        try accounts.reviewEmergency(id, by: account, at: context.now, in: writer)
      }
    } catch EmergencyError.notFound {
      throw Failure.notFound
    } catch let error as EmergencyError {
      return try await page(call, signedIn, refused: error)
    }
    call.environment.sessions.forget()
    return form.redirect(to: path)
  }

  private static func page(
    _ call: Call, _ signedIn: SignedIn, refused: EmergencyError?
  ) async throws -> Response {
    let environment = call.environment
    let looks = try await environment.database.read { reader in
      try environment.accounts.emergenciesToReview(limit: most, in: reader)
    }
    let localizer = call.localizer
    let zone = (try? environment.zones.zone(environment.settings.homeZone)) ?? .utc
    let words = DoseFormatter(localizer: localizer, zone: zone, now: call.now)
    var frame = call.frame()
    frame.title = localizer.text("emergency-access.review.title")
    frame.place = .people
    frame.lead = localizer.text("emergency-access.review.lead")
    let notice = refused.map {
      Notice(
        .error,
        title: localizer.text("emergency-access.problem", ["problem": .text($0.rawValue)])
      ).markup
    }
    let list =
      looks.isEmpty
      ? EmptyState(icon: .lock, text: localizer.text("emergency-access.review.none")).markup
      : "<div class=\"stack\">\(each: looks, { line($0, words, call) })</div>"
    return call.page(
      frame,
      """
      <div class="narrow stack">\(notice)\
      \(ButtonRow(LinkButton(
        localizer.text("emergency-access.practitioners.title"), address: PractitionerPages.path,
        icon: .person).markup))\(list)</div>
      """, status: refused == nil ? .ok : .conflict)
  }

  private static func line(_ look: EmergencyAccess, _ words: DoseFormatter, _ call: Call) -> Markup
  {
    let localizer = words.localizer
    let state: Markup =
      if let reviewed = look.reviewed {
        """
        <p class="muted">\(localizer.text(
          "emergency-access.review.done", ["when": .text(words.moment(reviewed))]))</p>
        """
      } else {
        FormButton(
          localizer.text("emergency-access.review.mark"), action: "\(path)/\(look.id)",
          token: call.accountToken, kind: .secondary, icon: .check, object: look.byName
        ).markup
      }
    return """
      <div>\(EmergencyAccessEntry(look: look, words: words))\
      <p class="muted break-anywhere">\(localizer.text(
        "emergency-access.review.patient", ["id": .text(look.patient.text)]))</p>\(state)</div>
      """
  }
}
