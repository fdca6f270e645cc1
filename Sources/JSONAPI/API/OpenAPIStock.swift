// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operation of the OpenAPI document for supplies.
enum OpenAPIStock {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let list: JSONValue = [
    "operationId": "stock",
    "summary":
      "A patient's supply: what is left, how long it lasts, and its packs.",
    "parameters": [Parts.patient],
    "responses": [
      "200": Parts.response("The stocks, by medicine name.", "StockList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  private static let number: JSONValue = ["type": "number"]
  private static let day: JSONValue = ["type": "string", "format": "date"]

  static let schemas: [(String, JSONValue)] = [
    ("StockList", Schemas.object(["stocks": Schemas.list(Schemas.reference("Stock"))])),
    (
      "Stock",
      Schemas.object(
        [
          "id": Schemas.text, "patient": Schemas.text, "medicine": Schemas.text,
          "unit": Schemas.text, "left": number, "total": number, "packSize": number,
          "estimate": Schemas.flag, "endsByExpiry": Schemas.flag, "uncounted": Schemas.flag,
          "low": Schemas.flag,
          "plans": Schemas.list(Schemas.text),
          "lots": Schemas.list(Schemas.reference("StockLot")), "lastsUntil": Schemas.instant,
          "runsOut": Schemas.instant, "orderBy": day, "repeatsLeft": ["type": "integer"],
          "prescriptionBy": day, "offers": Schemas.list(Schemas.reference("StockOffer")),
        ],
        optional: ["packSize", "lastsUntil", "runsOut", "orderBy", "repeatsLeft", "prescriptionBy"])
    ),
    (
      "StockOffer",
      Schemas.object(
        [
          "dispense": Schemas.text, "patient": Schemas.text, "medicine": Schemas.text,
          "countedSince": Schemas.flag, "amount": number, "handedOver": day, "expires": day,
        ], optional: ["amount", "handedOver", "expires"])
    ),
    (
      "StockLot",
      Schemas.object(
        [
          "id": Schemas.text, "left": number, "size": number, "usable": Schemas.flag,
          "prescribed": Schemas.flag,
          "expires": day, "opened": day, "useBy": day, "label": Schemas.text,
        ], optional: ["expires", "opened", "useBy", "label"])
    ),
  ]
}
