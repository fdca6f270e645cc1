// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization
import Statistics

/// The operation of the OpenAPI document for voice assistants.
enum OpenAPIVoice {
  private typealias Parts = OpenAPIDescription

  static let answer: JSONValue = [
    "operationId": "voice",
    "summary":
      "A sentence to read out. take reads back what is due and returns a confirmation; only confirm logs it.",
    "parameters": [Parts.patient],
    "requestBody": Parts.body("VoiceRequest"),
    "responses": [
      "200": Parts.response("The sentence.", "VoiceAnswer"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  /// The schemas that it uses.
  static let schemas: [(String, JSONValue)] = [
    (
      "VoiceRequest",
      OpenAPISchemas.object(
        [
          "intent": OpenAPISchemas.choice(VoiceAPI.Intent.allCases.map(\.rawValue)),
          "part": OpenAPISchemas.choice(DayPart.allCases.map(\.rawValue)),
          "confirmation": OpenAPISchemas.text,
          "language": OpenAPISchemas.choice(Language.allCases.map(\.rawValue)),
          "names": OpenAPISchemas.flag,
        ], optional: ["part", "confirmation", "language", "names"])
    ),
    (
      "VoiceAnswer",
      OpenAPISchemas.object(
        [
          "speech": OpenAPISchemas.text, "open": ["type": "integer"],
          "confirmation": OpenAPISchemas.text, "expires": OpenAPISchemas.instant,
          "logged": ["type": "integer"],
        ], optional: ["open", "confirmation", "expires", "logged"])
    ),
  ]
}
