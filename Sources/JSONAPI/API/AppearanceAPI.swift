// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import FHIR
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import Storage
import Web

/// `GET /api/v1/looks`: the appearance of a person's medicines, as codes and as text.
package enum AppearanceAPI {
  /// The route that lists appearances.
  package static let all: [Route] = [.api(.get, "/api/v1/looks", list)]

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.search, "MedicationRequest", of: patient)
    let (names, looks) = try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      return (
        try PlanQueries.names(patient: patient, in: reader),
        try AppearanceQueries.all(of: patient, in: reader)
      )
    }
    try await call.environment.audit(authorization, count: looks.count, at: call.now)
    let words = AppearanceFormatter(localizer: call.localizer)
    return JSONResponse.make([
      "looks": .array(
        names.compactMap { plan, name in
          looks[plan].map { json($0, plan: plan, name: name, patient: patient, words) }
        })
    ])
  }

  private static func json(
    _ known: KnownAppearance, plan: PlanID, name: String, patient: PatientID,
    _ words: AppearanceFormatter
  ) -> JSONValue {
    var object: JSONValue = [
      "plan": .string(plan.text), "medicine": .string(name),
      "photos": .array(known.photos.map { photo($0, patient) }),
    ]
    if let look = known.look {
      object["shape"] = .string(look.shape.rawValue)
      object["colors"] = .array(look.colors.map { .string($0.rawValue) })
      object["scored"] = .bool(look.isScored)
      object["imprint"] = look.imprint.map(JSONValue.string)
      object["text"] = .string(words.text(look))
    }
    return object
  }

  private static func photo(_ photo: MedicinePhoto, _ patient: PatientID) -> JSONValue {
    [
      "address": .string(AppearancePhotoAddress.of(photo, patient: patient, .large)),
      "thumbnail": .string(AppearancePhotoAddress.of(photo, patient: patient, .small)),
      "width": .number(JSONNumber(photo.width)), "height": .number(JSONNumber(photo.height)),
    ]
  }
}

/// The operation in the OpenAPI document.
enum OpenAPIAppearance {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let list: JSONValue = [
    "operationId": "looks",
    "summary":
      "Appearance of a patient's medicines: shape, colours, imprint, description and photo addresses.",
    "parameters": [Parts.patient],
    "responses": [
      "200": Parts.response("Medicines with a known appearance, by name.", "LookList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let schemas: [(String, JSONValue)] = [
    ("LookList", Schemas.object(["looks": Schemas.list(Schemas.reference("Look"))])),
    (
      "Look",
      Schemas.object(
        [
          "plan": Schemas.text, "medicine": Schemas.text,
          "shape": Schemas.choice(MedicineShape.allCases.map(\.rawValue)),
          "colors": Schemas.list(Schemas.choice(MedicineColor.allCases.map(\.rawValue))),
          "scored": Schemas.flag, "imprint": Schemas.text, "text": Schemas.text,
          "photos": Schemas.list(
            Schemas.object([
              "address": Schemas.text, "thumbnail": Schemas.text, "width": ["type": "integer"],
              "height": ["type": "integer"],
            ])),
        ], optional: ["shape", "colors", "scored", "imprint", "text"])
    ),
  ]
}
