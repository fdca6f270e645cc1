// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Exchange
import Hummingbird
import Localization
import People
import Scheduling
import SiteMap
import Storage
import Web

/// The forms on the page of a connection.
package enum HospitalActions {
  static func act(_ form: PostedForm) async throws -> Response {
    let call = form.call
    let patient = try HospitalRoutes.patient(call, form.signedIn)
    let connection = try await HospitalRoutes.connection(call, of: patient)
    let action = form.text("do") ?? ""
    if action == "accept" { return try await accept(connection, form) }
    let credentials = try action == "token" ? token(form, connection) : nil
    if case .failure(let trouble)? = credentials {
      return redirect(call, connection, "trouble=\(trouble.code)")
    }
    let rule = form.text("rule").flatMap(HospitalConnection.Rule.init(rawValue:))
    let writes = form.isChecked("writes")
    let (cipher, id) = (call.environment.accounts.cipher, connection.id)
    let ended = try await action == "remove" ? stored(connection, call) : nil
    try await form.run { context, writer in
      let commands = HospitalCommands(
        patient: patient, account: context.actor.accountID, cipher: cipher, now: context.now,
        writer: writer)
      switch action {
      case "fetch": try commands.fetch(id)
      case "missing": try commands.confirmMissing(id)
      case "rule":
        guard let rule else { throw Failure.unprocessable("value", "The rule is unknown.") }
        try commands.set(rule, of: id)
      case "writing": try commands.setWriting(writes, of: id)
      case "again": try commands.sendAgain(id)
      case "token":
        if case .success(let made)? = credentials { try commands.renew(id, made) }
      case "remove": try commands.remove(id)
      default: throw Failure.unprocessable("value", "The form must name a known action.")
      }
    }
    call.environment.hospitalWake.ring()
    // The token is deleted here first, whatever the hospital says.
    await ended?.revoke(network: call.environment.hospitals)
    if action == "remove" { return form.redirect(to: "\(Address.hospitals)?done=removed") }
    let isFetching = action == "fetch" || action == "missing"
    return redirect(call, connection, "done=\(isFetching ? "fetch" : "saved")")
  }

  /// Returns the credentials of a connection.
  private static func stored(
    _ connection: HospitalConnection, _ call: Call
  ) async throws -> HospitalCredentials? {
    let cipher = call.environment.accounts.cipher
    return try await call.environment.database.read { reader in
      try HospitalRows.credentials(
        connection.id, patient: connection.patient, cipher: cipher, in: reader)
    }
  }

  private static func token(
    _ form: PostedForm, _ connection: HospitalConnection
  ) throws -> Result<HospitalCredentials, HospitalTrouble> {
    guard connection.access == .token, let token = form.text("token"),
      HospitalCredentials.isToken(token)
    else { return .failure(.expired) }
    do throws(HospitalTrouble) {
      try HospitalCredentials.checkAudience(token, base: connection.base)
      return .success(HospitalCredentials(access: token))
    } catch {
      return .failure(error)
    }
  }

  /// Records the changed server and person as correct, because the user confirmed them.
  private static func accept(
    _ connection: HospitalConnection, _ form: PostedForm
  ) async throws -> Response {
    let call = form.call
    guard connection.state == .refused, let before = connection.person else {
      return redirect(call, connection, "done=saved")
    }
    let client = try await HospitalRoutes.client(connection, call)
    do throws(HospitalTrouble) {
      let metadata = try await HospitalMetadata.fetch(client)
      guard metadata.version == connection.version else {
        throw .version(metadata.version.rawValue)
      }
      let person = try await HospitalPersonQuery.person(before.id, client)
      return try await keep(metadata, person, connection, form)
    } catch {
      return redirect(call, connection, "trouble=\(error.code)")
    }
  }

  private static func keep(
    _ metadata: HospitalMetadata, _ person: HospitalPerson, _ connection: HospitalConnection,
    _ form: PostedForm
  ) async throws(HospitalTrouble) -> Response {
    let call = form.call
    let cipher = call.environment.accounts.cipher
    do {
      try await form.run { context, writer in
        let details = try PeopleQueries.details(connection.patient, in: writer)?.details
        // A different date of birth always means a different person.
        guard HospitalPerson.agree(person.birthDate, details?.birthDate?.text) else {
          throw HospitalError.otherBirthDate
        }
        try HospitalCommands(
          patient: connection.patient, account: context.actor.accountID, cipher: cipher,
          now: context.now, writer: writer
        ).accept(metadata, person, of: connection.id)
      }
    } catch {
      throw .otherPatient
    }
    call.environment.hospitalWake.ring()
    return redirect(call, connection, "done=saved")
  }

  private static func redirect(
    _ call: Call, _ connection: HospitalConnection, _ query: String
  ) -> Response {
    call.redirect(to: "\(HospitalRoutes.address(connection.id))?\(query)")
  }
}
