// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Identifiers
import People
import Storage
import Web

/// The facts of a request that writes: who writes, when, and what the answer should contain.
struct FHIRWriteContext: Sendable {
  /// The request; its body has been read already.
  let call: Call
  /// The account that writes.
  let signedIn: SignedIn
  /// The context of the commands.
  let context: CommandContext
  /// The address under which the client reaches the server.
  let baseURL: String
  /// The content that the client wants in the answer.
  let preference: ReturnPreference

  init(_ call: Call, _ signedIn: SignedIn, preference: ReturnPreference) {
    self.call = call
    self.signedIn = signedIn
    self.preference = preference
    context = call.environment.commandContext(for: signedIn, now: call.now)
    baseURL = call.baseURL
  }

  /// The account that writes, with its rights.
  var actor: Actor { signedIn.actor }

  /// The services and settings of the server.
  var environment: ServerEnvironment { call.environment }

  /// The time of the request, which applies to everything that it writes.
  var now: Timestamp { call.now }

  /// The same account as a reader.
  var caller: FHIRCaller { FHIRCaller(call: call, signedIn: signedIn) }

  /// Returns the permission for one access to a patient's resources; throws the reason for its
  /// denial.
  func authorize(
    _ action: Action, _ type: ResourceType, of patient: PatientID
  ) throws -> Authorization {
    try call.authorize(action, type.rawValue, of: patient)
  }
}

/// The content of an answer to a write that a client asks for with `Prefer: return=…`.
enum ReturnPreference: String, Sendable, CaseIterable {
  /// No body.
  case minimal
  /// The resource as it is stored.
  case representation
  /// An OperationOutcome with the warnings.
  case operationOutcome = "OperationOutcome"

  /// Reads the preference of a request; nil if it states none that is known.
  init?(_ header: String?) {
    let stated = (header ?? "").split { ",;".contains($0) }.lazy
      .map { $0.filter { !" \"".contains($0) } }
      .compactMap { part -> ReturnPreference? in
        let sides = part.split(separator: "=", maxSplits: 1)
        guard sides.count == 2, sides[0].lowercased() == "return" else { return nil }
        return Self.allCases.first { $0.rawValue.lowercased() == sides[1].lowercased() }
      }.first
    guard let stated else { return nil }
    self = stated
  }
}

extension HTTPField.Name {
  static let prefer = HTTPField.Name("Prefer") ?? .via
  static let ifNoneExist = HTTPField.Name("If-None-Exist") ?? .via
  static let acceptPatch = HTTPField.Name("Accept-Patch") ?? .via
}
