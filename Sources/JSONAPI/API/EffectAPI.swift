// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import FHIR
import Hummingbird
import Identifiers
import Plans
import ReportPages
import Scheduling
import Statistics
import Storage
import Web

/// `/api/v1/medicines/:plan/effect`: the doses of a medicine beside measured values, and each change before and after.
package enum EffectAPI {
  /// The route of the figures.
  package static let all: [Route] = [.api(.get, "/api/v1/medicines/:plan/effect", figures)]

  /// The sentence that goes with every comparison.
  static let note = "This doesn't show that the medicine is the cause."

  private static func figures(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let plan = PlanID(try call.parameter("plan"))
    let environment = call.environment
    // Only to decide access, which the reading below checks before anything else.
    let owner = try await environment.database.read { reader in
      try PlanQueries.owner(of: plan, zones: environment.zones, in: reader)?.patient
    }
    guard let owner else { throw Failure.notFound }
    let found = try await EffectRoutes.read(call, patient: owner, plan: plan)
    return JSONResponse.make(json(found.content, plan: found.plan))
  }

  private static func json(_ content: EffectContent, plan: Plan) -> JSONValue {
    let means = content.series.map { content.means(of: $0) }
    let columns = content.doses.columns.enumerated().map { index, column -> JSONValue in
      var json = counts(column.counts)
      json["start"] = .string(column.start.text)
      json["values"] = .array(means.map { number($0[index]) })
      return json
    }
    return [
      "plan": .string(plan.id.text), "medicine": .string(plan.medicineName),
      "range": .string(content.range.rawValue), "today": .string(content.today.text),
      "period": .string(content.range.period.rawValue),
      "measures": .array(content.series.map(measure)), "columns": .array(columns),
      "changes": .array(content.changes.map(change)),
      "comparisons": .array(content.comparisons.map(comparison)), "note": .string(note),
    ]
  }

  private static func measure(_ series: EffectSeries) -> JSONValue {
    var json: JSONValue = [
      "key": .string(series.measure.measure.key), "unit": .string(series.unit),
      "days": .number(JSONNumber(series.days.count)),
      "otherUnit": .number(JSONNumber(series.leftOut)),
    ]
    json["name"] = series.measure.name.map { .string($0) }
    return json
  }

  private static func change(_ change: EffectChange) -> JSONValue {
    ["day": .string(change.day.text), "kind": .string(change.kind.rawValue)]
  }

  private static func comparison(_ comparison: EffectContent.Comparison) -> JSONValue {
    var json: JSONValue = [
      "measure": .string(comparison.measure.measure.key), "change": change(comparison.change),
      "before": side(comparison.windows.before, comparison.dosesBefore),
      "after": side(comparison.windows.after, comparison.dosesAfter),
    ]
    switch comparison.outcome {
    case .tooFew(let before, let after):
      json["missing"] = [
        "before": .number(JSONNumber(before)), "after": .number(JSONNumber(after)),
      ]
    case .compared(let estimate):
      json["difference"] = [
        "meanBefore": number(estimate.before), "meanAfter": number(estimate.after),
        "daysBefore": .number(JSONNumber(estimate.daysBefore)),
        "daysAfter": .number(JSONNumber(estimate.daysAfter)),
        "difference": number(estimate.difference),
        "low": number(estimate.interval?.lowerBound),
        "high": number(estimate.interval?.upperBound),
        "correlation": number(estimate.correlation),
      ]
    }
    return json
  }

  private static func side(_ days: ClosedRange<CivilDate>?, _ doses: DoseCounts) -> JSONValue {
    var json = counts(doses)
    json["from"] = days.map { .string($0.lowerBound.text) }
    json["until"] = days.map { .string($0.upperBound.text) }
    return json
  }

  private static func counts(_ counts: DoseCounts) -> JSONValue {
    [
      "planned": .number(JSONNumber(counts.planned)),
      "taken": .number(JSONNumber(counts.takenInAll)),
    ]
  }

  /// Returns a number with at most four decimals; null for none.
  private static func number(_ value: Double?) -> JSONValue {
    guard let value else { return .null }
    let rounded = (value * 10_000).rounded() / 10_000
    return JSONNumber(text: "\(rounded)").map(JSONValue.number) ?? .null
  }
}
