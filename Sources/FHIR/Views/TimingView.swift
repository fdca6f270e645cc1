// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A FHIR Timing.
///
/// Reading it never fails, whatever its content.
public struct TimingView: Sendable, Hashable {
  /// The underlying value.
  public let json: JSONValue

  /// Creates a view of a value of any shape.
  public init(_ json: JSONValue) {
    self.json = json
    repeatObject = json["repeat"]
  }

  /// The `repeat` element.
  public let repeatObject: JSONValue?
  /// The instants or dates, as written.
  public var events: [String] { json.texts("event") }
  /// The code as text.
  public var codeText: String? { json["code"]?.conceptText }
  /// The codes, such as `BID`.
  public var codes: [CodeView] { json["code"]?.conceptCodes ?? [] }

  /// The start of `boundsPeriod` as written.
  public var boundsPeriodStart: String? { repeatObject?["boundsPeriod"]?.text("start") }
  /// The end of `boundsPeriod` as written; inclusive.
  public var boundsPeriodEnd: String? { repeatObject?["boundsPeriod"]?.text("end") }
  /// The length of the timing from its start.
  public var boundsDuration: QuantityView? {
    repeatObject?["boundsDuration"].map(QuantityView.init)
  }
  /// True if there is a `boundsDuration`.
  public var hasBoundsDuration: Bool { repeatObject?["boundsDuration"] != nil }
  /// True if there is a `boundsRange`.
  public var hasBoundsRange: Bool { repeatObject?["boundsRange"] != nil }
  /// True if there is a `boundsPeriod`.
  public var hasBoundsPeriod: Bool { repeatObject?["boundsPeriod"] != nil }

  /// The total number of times.
  public var count: Int? { repeatObject?.integer("count") }
  /// The maximum total number of times.
  public var countMax: Int? { repeatObject?.integer("countMax") }
  /// The duration of one administration, in `durationUnit`.
  public var duration: Decimal? { decimal("duration") }
  /// The maximum duration of one administration, in `durationUnit`.
  public var durationMax: Decimal? { decimal("durationMax") }
  /// The unit of the duration, a UCUM code.
  public var durationUnit: String? { repeatObject?.text("durationUnit") }
  /// The number of times in each period.
  public var frequency: Int? { repeatObject?.integer("frequency") }
  /// The maximum number of times in each period.
  public var frequencyMax: Int? { repeatObject?.integer("frequencyMax") }
  /// The length of the period, in `periodUnit`.
  public var period: Decimal? { decimal("period") }
  /// The maximum length of the period, in `periodUnit`.
  public var periodMax: Decimal? { decimal("periodMax") }
  /// The unit of the period: `s min h d wk mo a`.
  public var periodUnit: String? { repeatObject?.text("periodUnit") }
  /// The weekdays, `mon` to `sun`.
  public var dayOfWeek: [String] { repeatObject?.texts("dayOfWeek") ?? [] }
  /// The clock times, such as `08:00:00`.
  public var timeOfDay: [String] { repeatObject?.texts("timeOfDay") ?? [] }
  /// The events of the day, such as `CM`.
  public var when: [String] { repeatObject?.texts("when") ?? [] }
  /// The minutes from the event.
  public var offset: Int? { repeatObject?.integer("offset") }

  /// The names of all present elements, in order.
  public var presentElements: [String] { json.object?.keys ?? [] }
  /// The names of all present elements of `repeat`, in order.
  public var presentRepeatElements: [String] { repeatObject?.object?.keys ?? [] }
  /// True if there is an extension at any depth, including on a primitive.
  public var hasExtensions: Bool {
    json.contains { $0 == "extension" || $0 == "modifierExtension" || $0.hasPrefix("_") }
  }

  private func decimal(_ key: String) -> Decimal? { repeatObject?[key]?.number?.decimal }
}
