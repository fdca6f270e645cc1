// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Hummingbird
import Identifiers
import People
import Storage
import Web

/// `GET /api/v1/me`: the account and the patients it may act for.
package enum AccountAPI {
  /// The route of the signed-in account.
  package static let all: [Route] = [.api(.get, "/api/v1/me", me)]

  private static func me(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let rights = signedIn.actor.rights
    let names = try await call.environment.database.read { reader in
      var names: [PatientID: String] = [:]
      for patient in rights.keys {
        names[patient] = try PeopleQueries.name(patient, in: reader)
      }
      return names
    }
    let own = signedIn.account.patient
    // The account's own patient comes first, the others by name.
    let ordered = rights.keys.sorted { left, right in
      (left != own ? 1 : 0, names[left] ?? "", left)
        < (right != own ? 1 : 0, names[right] ?? "", right)
    }
    let patients = ordered.map { patient -> JSONValue in
      var object: JSONValue = [
        "id": .string(patient.text), "name": .string(names[patient] ?? ""),
        "relationship": .string(rights[patient]?.relationship.rawValue ?? ""),
      ]
      // The shared categories matter only if they are limited.
      if let right = rights[patient], !right.relationship.actsForPatient {
        object["categories"] = .array(
          DataCategory.allCases.filter(right.categories.contains).map { .string($0.rawValue) })
      }
      return object
    }
    let account = signedIn.account
    return JSONResponse.make([
      "account": [
        "id": .string(account.id.text),
        account.isByPhone ? "phone" : "email": .string(account.email),
        "name": .string(account.displayName), "administrator": .bool(account.isAdministrator),
      ],
      "patients": .array(patients),
    ])
  }
}
