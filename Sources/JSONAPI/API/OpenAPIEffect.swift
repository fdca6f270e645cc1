// SPDX-License-Identifier: Apache-2.0

import Diary
import FHIR
import Statistics

/// The operation of the OpenAPI document for the effect of a medicine.
enum OpenAPIEffect {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let figures: JSONValue = [
    "operationId": "effect",
    "summary":
      "A medicine's doses, the daily means of one or two measures and the changes of its plan by day, week or month, and each measure before and after each change. It doesn't show that the medicine is the cause of a difference.",
    "parameters": [
      Parts.parameter("plan", "path", "The plan's id.", isRequired: true),
      Parts.parameter(
        "range", "query", "4-weeks, 3-months (unless given), 1-year or 10-years, until today."),
      Parts.parameter(
        "measure", "query",
        "A measure's key: resting-heart-rate, heart-rate, walking-heart-rate, steps, weight, or the system and code of an Observation, such as http://loinc.org|8480-6; of one of its components, the Observation's and then the component's. Without one, the first that the person has."
      ),
      Parts.parameter("second", "query", "The key of a second measure."),
    ],
    "responses": [
      "200": Parts.response("The figures.", "Effect"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such medicine."),
    ],
  ]

  private static let whole: JSONValue = ["type": "integer"]
  private static let number: JSONValue = ["type": "number"]
  private static let numberOrNull: JSONValue = ["type": ["number", "null"]]
  private static let day: JSONValue = ["type": "string", "format": "date"]

  static let schemas: [(String, JSONValue)] = [
    (
      "Effect",
      Schemas.object([
        "plan": Schemas.text, "medicine": Schemas.text,
        "range": Schemas.choice(EffectRange.allCases.map(\.rawValue)), "today": day,
        "period": Schemas.choice(StatisticsPeriod.allCases.map(\.rawValue)),
        "measures": Schemas.list(Schemas.reference("EffectMeasure")),
        "columns": Schemas.list(Schemas.reference("EffectColumn")),
        "changes": Schemas.list(Schemas.reference("EffectChange")),
        "comparisons": Schemas.list(Schemas.reference("EffectComparison")), "note": Schemas.text,
      ])
    ),
    (
      "EffectMeasure",
      Schemas.object(
        [
          "key": Schemas.text, "name": Schemas.text, "unit": Schemas.text, "days": whole,
          "otherUnit": whole,
        ], optional: ["name"])
    ),
    (
      "EffectColumn",
      Schemas.object([
        "start": day, "planned": whole, "taken": whole, "values": Schemas.list(numberOrNull),
      ])
    ),
    (
      "EffectChange",
      Schemas.object([
        "day": day, "kind": Schemas.choice(EffectChange.Kind.allCases.map(\.rawValue)),
      ])
    ),
    (
      "EffectSide",
      Schemas.object(
        ["from": day, "until": day, "planned": whole, "taken": whole],
        optional: ["from", "until"])
    ),
    (
      "EffectComparison",
      Schemas.object(
        [
          "measure": Schemas.text, "change": Schemas.reference("EffectChange"),
          "before": Schemas.reference("EffectSide"), "after": Schemas.reference("EffectSide"),
          "missing": Schemas.reference("EffectMissing"),
          "difference": Schemas.reference("EffectDifference"),
        ], optional: ["missing", "difference"])
    ),
    ("EffectMissing", Schemas.object(["before": whole, "after": whole])),
    (
      "EffectDifference",
      Schemas.object([
        "meanBefore": number, "meanAfter": number, "daysBefore": whole, "daysAfter": whole,
        "difference": number, "low": numberOrNull, "high": numberOrNull, "correlation": number,
      ])
    ),
  ]
}
