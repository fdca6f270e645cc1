// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The parts that operations of the OpenAPI document share.
extension OpenAPIDescription {
  /// The parameter of the patient.
  static let patient = parameter(
    "patient", "query", "A patient's id from /me; required if the account has several.")

  /// The parameters of a patient and an interval.
  static let window: [JSONValue] = [
    patient,
    parameter(
      "from", "query", "Start of the period, inclusive, with offset.", format: "date-time",
      isRequired: true),
    parameter(
      "to", "query", "End of the period, exclusive, with offset, at most 400 days later.",
      format: "date-time", isRequired: true),
  ]

  static let idempotencyKey = parameter(
    "Idempotency-Key", "header",
    "Kept 30 days: the same body returns the first answer, another body 422.",
    pattern: "^[!-~]{1,255}$")

  /// The account and the person of a request that was queued on a device before it was sent.
  static let madeFor: [JSONValue] = [
    parameter(
      "Regimen-Account", "header",
      "The account this request is for; 409 wrong-account if another is signed in."
    ),
    parameter(
      "Regimen-Patient", "header",
      "The patient this request is for; 409 wrong-person if it would act on another."),
  ]

  static func parameter(
    _ name: String, _ place: String, _ description: String, type: String = "string",
    format: String? = nil, pattern: String? = nil, minimum: Int? = nil, maximum: Int? = nil,
    isRequired: Bool = false
  ) -> JSONValue {
    var schema: JSONValue = ["type": .string(type)]
    schema["format"] = format.map(JSONValue.string)
    schema["minimum"] = minimum.map { JSONValue.number(JSONNumber($0)) }
    schema["maximum"] = maximum.map { JSONValue.number(JSONNumber($0)) }
    schema["pattern"] = pattern.map(JSONValue.string)
    return [
      "name": .string(name), "in": .string(place), "required": .bool(isRequired),
      "description": .string(description), "schema": schema,
    ]
  }

  static func body(_ schema: String) -> JSONValue {
    [
      "required": true,
      "content": ["application/json": ["schema": reference(schema)]],
    ]
  }

  static func response(_ description: String, _ schema: String) -> JSONValue {
    [
      "description": .string(description),
      "content": ["application/json": ["schema": reference(schema)]],
    ]
  }

  static func problem(_ description: String) -> JSONValue {
    [
      "description": .string(description),
      "content": ["application/problem+json": ["schema": reference("Problem")]],
    ]
  }

  static func reference(_ schema: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(schema)")]
  }
}
