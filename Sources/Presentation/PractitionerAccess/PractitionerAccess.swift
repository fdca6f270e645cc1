// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Identifiers
import People
import Prescriptions
import SiteMap
import Storage
import Web

/// A practitioner's access to the patient of an address, limited to its current grant.
///
/// Any other relationship of the account to the patient is ignored. Without such a grant, the
/// patient appears not to exist.
package struct PractitionerAccess: Sendable {
  /// The patient of the address.
  package let patient: PatientID
  /// The patient's name.
  package let name: String
  /// The practitioner's right, with the shared categories.
  package let right: PatientRight
  /// True if the account is confirmed as a practitioner's, and so may prescribe.
  let isConfirmed: Bool
  /// The fields of the address that describe the part of the table of patients next to the page.
  private let desk: [(String, String)]
  private let actor: Actor
  private let signedIn: SignedIn

  /// Reads the access of the signed-in account to the patient named in the address.
  ///
  /// - Throws: `notFound` without a session or a grant of a practitioner.
  package static func open(_ call: Call, _ signedIn: SignedIn) async throws -> PractitionerAccess {
    let patient = try PatientID(call.parameter("patient"))
    guard signedIn.actor.kind == .session else { throw Failure.notFound }
    let environment = call.environment
    let account = signedIn.account.id
    let found = try await environment.database.read { reader -> PractitionerAccess? in
      guard
        let right = try environment.accounts.careRight(
          account, of: patient, at: call.now, in: reader),
        let name = try PeopleQueries.name(patient, in: reader)
      else { return nil }
      return PractitionerAccess(
        patient: patient, name: name, right: right,
        isConfirmed: try environment.accounts.isPractitioner(account, in: reader),
        desk: call.queryFields.filter { deskFields.contains($0.name) }.map {
          ($0.name, String($0.value.prefix(100)))
        },
        actor: Actor(
          accountID: account, kind: .session, rights: [patient: right],
          scope: signedIn.actor.scope), signedIn: signedIn)
    }
    guard let found else { throw Failure.notFound }
    return found
  }

  /// Reads the access of a practitioner who may prescribe.
  ///
  /// - Throws: `notFound` if medicines are not shared, `notConfirmed` if the account is not
  ///   confirmed.
  package static func openToPrescribe(_ call: Call, _ signedIn: SignedIn) async throws
    -> PractitionerAccess
  {
    let access = try await open(call, signedIn)
    guard access.right.shares(.medicines) else { throw Failure.notFound }
    guard access.isConfirmed else { throw CareTeamError.notConfirmed.failure }
    return access
  }

  /// The address of the patient's page.
  package var address: String { "\(Address.careTeam)/\(patient)" }

  private static let deskFields: Set<String> = ["show", "q", "sort", "order", "page"]

  /// Returns the address of the patient's page, or of one below it, with the same part of the table
  /// of patients next to it.
  ///
  /// - Parameters:
  /// - path: The rest of the path; empty for the patient's page.
  /// - fields: More fields of the query.
  package func deskAddress(_ path: String = "", _ fields: [(String, String)] = []) -> String {
    let all = desk + fields
    return "\(address)\(path)\(all.isEmpty ? "" : "?\(QueryText.encode(all))")"
  }

  /// True if medicines are shared and the account may prescribe.
  package var mayPrescribe: Bool { isConfirmed && right.shares(.medicines) }

  /// Returns the right to perform an action on a type of resource under the grant.
  ///
  /// - Throws: The reason for the refusal.
  package func authorize(_ action: Access.Action, _ resource: String) throws -> Authorization {
    switch decide(
      actor: actor, action: action, patient: patient, resource: resource, purpose: .care)
    {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }

  /// Returns the right to search a part of the patient's Observations under the grant.
  ///
  /// - Throws: The reason for the refusal.
  package func searching(
    _ resource: String, part: ObservationPart
  ) throws -> SearchAuthorization {
    switch decideSearch(
      actor: actor, resource: resource, patient: patient, purpose: .care, part: part)
    {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }

  /// Returns the right to read a type of resource; nil if it is not shared.
  package func reading(_ resource: String) -> Authorization? { try? authorize(.read, resource) }

  /// Returns the context for the practitioner's commands.
  package func context(_ call: Call) -> CommandContext {
    call.environment.commandContext(
      for: actor, byName: signedIn.account.displayName, now: call.now)
  }

  /// Returns the commands that prescribe for the patient.
  package func prescriptions(_ call: Call) -> PrescriptionCommands {
    PrescriptionCommands(
      patient: patient, accounts: call.environment.accounts, context: context(call))
  }
}

extension Call {
  /// Returns the frame of a page on which a practitioner acts as themselves, whichever person the
  /// device has chosen.
  package func careFrame(_ signedIn: SignedIn) -> PageFrame {
    var frame = frame()
    frame.people = []
    frame.person = nil
    frame.place = .patients
    if case .signedIn(_, let email, let token) = frame.visitor {
      frame.visitor = .signedIn(
        personName: signedIn.account.displayName, accountEmail: email, token: token)
    }
    return frame
  }

  /// Reads a form that acts on the patient of its address, and checks it for forgery.
  package func careForm() async throws -> FormBody {
    let form = try await FormBody.read(self)
    try ForgeryGuard.checkToken(form, of: self)
    return form
  }
}

extension CareTeamError: FailureConvertible {
  /// The response to a failed command of a practitioner.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .notConfirmed, .notYours:
      Failure(
        .forbidden, code: rawValue, detail: "Your account may not prescribe or change this.")
    case .wrongPatient, .unseenFindings, .alreadyEnded, .reason, .note, .tooManyNotes,
      .templateName,
      .tooManyTemplates:
      Failure(
        .conflict, code: rawValue, detail: "This could not be done. Read the patient's data again.")
    }
  }
}
