// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Hummingbird
import Identifiers
import Localization
import Observations
import Presentation
import SiteMap
import Statistics
import Storage
import Web

/// Charts over all medicines of a person, for everyone with whom adherence is shared.
package enum ChartsRoutes {
  /// The routes of the person's own charts and of those that a practitioner sees.
  package static let all: [Route] = [
    .page(.get, Address.charts, page),
    .page(.get, "\(Address.careTeam)/:patient/charts", patientPage),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let full = try? call.authorize(.read, "Dose", of: patient)
    let model = try await read(
      call, patient: patient, try full ?? call.authorize(.read, "DoseState", of: patient),
      namesMedicines: full != nil)
    let localizer = call.localizer
    var frame = call.frame()
    frame.lead = localizer.text("charts.lead")
    frame.place = .progress
    var places: [PlaceList.Place] = []
    frame.back = .progress(localizer)
    if (try? call.authorizeExport("Dose", of: patient)) != nil {
      places.append(
        .init(localizer.text("report.link"), address: Address.report, icon: .document))
    }
    if (try? call.authorize(.read, VitalCommands.resource, of: patient)) != nil {
      places.append(
        .init(
          localizer.text("heart-rate-monitoring.graph"), address: Address.heartRateGraph,
          icon: .heart))
    }
    return ChartsPage(
      model: model, path: Address.charts, places: places,
      note: full == nil
        ? localizer.text("people.states-only", ["name": .text(call.person?.name ?? "")]) : nil
    ).response(call, frame)
  }

  private static func patientPage(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let access = try await PractitionerAccess.open(call, signedIn)
    let full = access.reading("Dose")
    let model = try await read(
      call, patient: access.patient, try full ?? access.authorize(.read, "DoseState"),
      namesMedicines: full != nil)
    let localizer = call.localizer
    var frame = call.careFrame(signedIn)
    frame.lead = access.name
    frame.back = .init(access.name, address: access.address)
    let report: [PlaceList.Place] =
      full == nil
      ? []
      : [
        .init(localizer.text("report.link"), address: "\(access.address)/report", icon: .document)
      ]
    return ChartsPage(
      model: model, path: "\(access.address)/charts", places: report,
      note: full == nil
        ? localizer.text("people.states-only", ["name": .text(access.name)]) : nil
    ).response(call, frame)
  }

  /// Reads the content in one snapshot and audits the read.
  private static func read(
    _ call: Call, patient: PatientID, _ authorization: Authorization, namesMedicines: Bool
  ) async throws -> ChartsModel {
    let (environment, now) = (call.environment, call.now)
    let request = ChartsRequest(call)
    let model = try await environment.database.read { reader in
      try ChartsModel.load(
        request, patient: patient, namesMedicines: namesMedicines, environment, now: now,
        in: reader)
    }
    let count = model.statistics.total.counts.planned
    try await environment.audit(authorization, count: max(1, count), at: now)
    return model
  }
}
