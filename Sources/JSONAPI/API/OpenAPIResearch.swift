// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for researchers.
enum OpenAPIResearch {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let counts: JSONValue = [
    "operationId": "researchCounts",
    "summary": "The counts of the study whose researcher's token is sent; small ones as <5.",
    "responses": [
      "200": Parts.response("The counts.", "StudyCounts"),
      "401": Parts.problem("Not the token of a researcher, or it was revoked."),
      "403": Parts.problem("A token or session of a person, who is no researcher."),
    ],
  ]

  static let files: JSONValue = [
    "operationId": "researchFiles",
    "summary": "The names of the files of the study's export.",
    "responses": [
      "200": Parts.response("The names.", "StudyFiles"),
      "401": Parts.problem("Not the token of a researcher, or it was revoked."),
      "403": Parts.problem("A token or session of a person, who is no researcher."),
    ],
  ]

  static let file: JSONValue = [
    "operationId": "researchFile",
    "summary": "A file of the export under pseudonyms. Participants see that it was made.",
    "parameters": [
      Parts.parameter("file", "path", "The name of the file.", isRequired: true)
    ],
    "responses": [
      "200": [
        "description": "The file: CSV, or FHIR resources, one in a line.",
        "content": [
          "text/csv": ["schema": Schemas.text],
          "application/fhir+ndjson": ["schema": Schemas.text],
        ],
      ],
      "401": Parts.problem("Not the token of a researcher, or it was revoked."),
      "403": Parts.problem("A token or session of a person, who is no researcher."),
      "404": Parts.problem("The study has no such file."),
    ],
  ]

  static let schemas: [(String, JSONValue)] = [
    (
      "StudyCounts",
      Schemas.object([
        "study": Schemas.text, "open": Schemas.flag, "taking": Schemas.text,
        "withdrawn": Schemas.text, "allocated": Schemas.text,
      ])
    ),
    ("StudyFiles", Schemas.object(["files": Schemas.list(Schemas.text)])),
  ]
}
