// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Observations
import People
import Prescriptions
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// A patient's page for a practitioner.
package struct CarePatientPage: Sendable {
  let access: PractitionerAccess
  let model: CarePatientModel
  /// The practitioner's own account.
  let account: AccountID
  /// The mistake in a note, with its input.
  var mistake: CareTeamError?
  var typed = ""
  /// The message as typed, with its mistake.
  var message = ChatInput()
  /// The table of patients next to the page; nil on phones.
  var table: Markup?

  /// The action that the page confirms.
  enum Done: String, Sendable {
    case sent, stopped, held, resumed, withdrawn, noted, removed, limit, window, messaged
  }

  static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await page(call, signedIn, try await PractitionerAccess.open(call, signedIn))
  }

  static func page(
    _ call: Call, _ signedIn: SignedIn, _ access: PractitionerAccess, mistake: CareTeamError? = nil,
    typed: String = "", message: ChatInput = ChatInput()
  ) async throws -> Response {
    let model = try await call.environment.database.read { reader in
      try CarePatientModel.load(access, call, signedIn, in: reader)
    }
    try await audit(access, model, call)
    return CarePatientPage(
      access: access, model: model, account: signedIn.account.id, mistake: mistake, typed: typed,
      message: message,
      table: try await call.environment.deskTable.read(
        beside: access.patient, call, signedIn)
    ).response(call, signedIn)
  }

  /// Audits the read of each kind of data, for the patient's access log.
  private static func audit(
    _ access: PractitionerAccess, _ model: CarePatientModel, _ call: Call
  ) async throws {
    var looks = [(try access.authorize(.read, "Patient"), 1)]
    if let right = access.reading("MedicationRequest") { looks.append((right, model.plans.count)) }
    if let right = access.reading("Dose") ?? access.reading("DoseState"), model.adherence != nil {
      looks.append((right, 1))
    }
    if let right = access.reading(VitalCommands.resource), let warnings = model.warnings {
      looks.append((right, warnings.count + (model.heart?.count ?? 0)))
    }
    if let right = access.reading("Communication"), let messages = model.messages {
      looks.append((right, messages.page.messages.count))
    }
    for (authorization, count) in looks {
      try await call.environment.audit(authorization, count: count, at: call.now)
    }
  }

  private func response(_ call: Call, _ signedIn: SignedIn) -> Response {
    let localizer = call.localizer
    var frame = call.careFrame(signedIn)
    frame.title = access.name
    frame.isLive = true
    frame.hasErrors = mistake != nil || message.isMistaken
    frame.scripts = [PageAssets.desk]
    frame.back = .init(localizer.text("care-team.title"), address: DeskQuery(call).address)
    if let born = model.details?.birthDate {
      frame.lead = localizer.text(
        "care-team.born",
        ["date": .text(MedicineClock(zone: model.zone, localizer: localizer).text(born, .medium))])
    }
    frame.flash = call.queryValue("done").flatMap(Done.init(rawValue:)).map {
      FlashBar(localizer.text("care-team.patient-done", ["done": .text($0.rawValue)]))
    }
    let parts = CarePatientParts(page: self, call: call)
    var errors: [FieldError] = []
    if let mistake {
      errors.append(FieldError(field: "note", message: mistake.message(localizer)))
    }
    if let problem = message.words(localizer) {
      errors.append(FieldError(field: ChatRoutes.textField, message: problem))
    }
    let patient: Markup = """
      \(ErrorSummary(errors, localizer: localizer))\(parts.actions)\
      \(parts.plans)\(parts.waiting)\(parts.adherence)\(parts.heartRate)\(parts.warnings)\
      \(parts.messages)\(parts.notes)\(parts.deliveries)\(parts.contact)\
      \(PlaceList(CareLinks.places(access, localizer, hasApps: model.hasApps)))\(parts.leaving)
      """
    return call.page(
      frame, DeskLayout(patient: patient, table: table, localizer: localizer).markup,
      status: message.isMistaken
        ? message.status : mistake == nil ? .ok : .unprocessableContent)
  }
}

/// The links from a patient's page: the single list of everything that practitioners and patients
/// do together.
enum CareLinks {
  static func places(
    _ access: PractitionerAccess, _ localizer: Localizer, hasApps: Bool
  ) -> [PlaceList.Place] {
    var places: [PlaceList.Place] = []
    if access.mayPrescribe {
      places.append(
        .init(
          localizer.text("simplification.title"), address: "\(access.address)/simplify",
          icon: .clock))
    }
    if access.right.shares(.messages) {
      places.append(
        .init(localizer.text("chat.title"), address: Address.conversations, icon: .message))
    }
    if access.reading("Dose") != nil {
      places.append(
        .init(
          localizer.text("report.link"), address: "\(access.address)/report", icon: .document))
    }
    if access.reading("DoseState") != nil {
      places.append(
        .init(
          localizer.text("charts.link"), address: "\(access.address)/charts", icon: .chart))
    }
    if access.right.shares(.adherence) {
      places.append(
        .init(
          localizer.text("caregiver-messages.title"), address: Address.caregiverMessages,
          icon: .bell))
    }
    if access.right.shares(.heartRate) {
      places.append(
        .init(
          localizer.text("care-team.heart.title"), address: "\(access.address)/heart-rate",
          icon: .heart))
    }
    if access.right.shares(.diary) {
      places.append(
        .init(
          localizer.text("diary.title"), address: "\(access.address)/diary", icon: .calendar))
    }
    if access.reading("QuestionnaireAssignment") != nil {
      places.append(
        .init(
          localizer.text("questionnaires.title"), address: "\(access.address)/questionnaires",
          icon: .pencil))
    }
    if hasApps {
      places.append(
        .init(
          localizer.text("apps.start-title"),
          address: "\(Address.appGallery)?patient=\(access.patient)", icon: .phone))
    }
    return places
  }
}
