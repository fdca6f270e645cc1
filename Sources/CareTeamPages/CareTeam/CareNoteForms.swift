// SPDX-License-Identifier: Apache-2.0

import CareTeam
import HTTPTypes
import Hummingbird
import Prescriptions
import Presentation
import Storage
import Web

/// The forms with which a practitioner adds a note about a patient, or removes one of their own.
package enum CareNoteForms {
  static func add(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    let access = try await PractitionerAccess.open(call, signedIn)
    let text = form.raw("note") ?? ""
    let (accounts, context) = (call.environment.accounts, access.context(call))
    do {
      try await call.environment.database.write { writer in
        try CareNotes.add(
          text, of: access.patient, accounts: accounts, context: context, in: writer)
      }
    } catch let error as CareTeamError where error == .note || error == .tooManyNotes {
      return try await CarePatientPage.page(call, signedIn, access, mistake: error, typed: text)
    } catch let error as CareTeamError {
      throw error.failure
    }
    return form.redirect(to: access.deskAddress("", [("done", "noted")]) + "#notes")
  }

  static func remove(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let access = try await PractitionerAccess.open(call, form.signedIn)
    let note = try form.parameter("note")
    let (accounts, context) = (call.environment.accounts, access.context(call))
    do {
      try await call.environment.database.write { writer in
        try CareNotes.remove(
          note, of: access.patient, accounts: accounts, context: context, in: writer)
      }
    } catch let error as CareTeamError {
      throw error.failure
    }
    return form.redirect(to: access.deskAddress("", [("done", "removed")]) + "#notes")
  }
}
