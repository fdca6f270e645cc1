// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The values that a phone, a watch's app or a program posted, one by one.
package struct VitalPost: Sendable {
  /// The forms that are recognised by their own members.
  package enum Form: String, Sendable, Hashable, CaseIterable {
    case own, lists, healthAutoExport, healthDataExport, healthConnect, fhir, fitbit
  }

  /// A value, or the reason why it is rejected.
  package struct Item: Sendable {
    /// The position among the items, from 0.
    package let index: Int
    /// The position in the body, such as `readings[3]`.
    package let place: String
    /// The value, or the reason why it is rejected.
    package let result: Result<VitalReading, VitalProblem>
    /// True if the item removes the day's value.
    package var isRemoval = false
  }

  /// The form of the body.
  package let form: Form
  /// The patient that the sender names; nil for none.
  var patient: String?
  /// The items in the order of the body.
  package internal(set) var items: [Item] = []
  /// The medicines taken or skipped that the body reports.
  package internal(set) var medications: [PostedMedication] = []

  private let now: Int64
  private let zone: @Sendable (Int64) -> Int32

  /// The maximum number of items: more than any phone sends at once.
  static let maximumItems = 1_000_000

  /// Reads the values of a body; returns nil for an unknown form.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970; later values are rejected.
  ///   - zone: the offset of the person's zone at seconds since 1970, for times without one.
  package static func read(
    _ body: JSONValue, now: Int64, zone: @escaping @Sendable (Int64) -> Int32
  ) -> VitalPost? {
    guard let form = form(of: body) else { return nil }
    var post = VitalPost(form: form, now: now, zone: zone)
    switch form {
    case .own: post.readOwn(body)
    case .lists: post.readLists(body, place: "")
    case .healthAutoExport: post.readHealthAutoExport(body)
    case .healthDataExport: post.readHealthDataExport(body)
    case .healthConnect: post.readHealthConnect(body)
    case .fhir: post.readFHIR(body)
    case .fitbit: post.readFitbit(body)
    }
    return post
  }

  /// Returns the logical id of the patient that a body names; nil if it names none.
  package static func patient(of body: JSONValue) -> String? {
    if body["resourceType"]?.string == "Bundle" {
      return (body["entry"]?.array ?? []).lazy.compactMap {
        $0["resource"].flatMap(subject)
      }.first
    }
    return body["patient"]?.string ?? subject(body)
  }

  private init(form: Form, now: Int64, zone: @escaping @Sendable (Int64) -> Int32) {
    self.form = form
    self.now = now
    self.zone = zone
  }

  static func form(of body: JSONValue) -> Form? {
    if body.array != nil { return .own }
    if body["resourceType"]?.string != nil { return .fhir }
    if body["readings"] != nil { return .own }
    if body["data"]?["metrics"]?.array != nil || body["data"]?["medications"]?.array != nil {
      return .healthAutoExport
    }
    if body["sections"]?.object != nil { return .healthDataExport }
    if body["activities-heart"]?.array != nil { return .fitbit }
    if body["samples"] != nil || body["dates"] != nil { return .lists }
    if body["timestamp"]?.string != nil { return .healthConnect }
    return nil
  }

  // MARK: Values

  /// Adds one value after checking it.
  mutating func add(
    _ kind: VitalKind?, value: JSONValue?, unit: String?, at date: JSONValue?,
    until end: JSONValue? = nil, source: String?, place: String, isDayTotal: Bool = false
  ) {
    note(
      place,
      reading(
        kind, value: value, unit: unit, at: date, until: end, source: source,
        isDayTotal: isDayTotal))
  }

  mutating func note(
    _ place: String, _ result: Result<VitalReading, VitalProblem>, isRemoval: Bool = false
  ) {
    guard items.count < Self.maximumItems else { return }
    items.append(
      Item(index: items.count, place: place, result: result, isRemoval: isRemoval))
  }

  func reading(
    _ kind: VitalKind?, value: JSONValue?, unit: String?, at date: JSONValue?,
    until end: JSONValue? = nil, source: String?, isDayTotal: Bool = false
  ) -> Result<VitalReading, VitalProblem> {
    guard let kind else { return .failure(.kind) }
    guard let (number, written) = Self.number(value) else { return .failure(.value) }
    return VitalReading.made(
      of: kind, number, unit: unit ?? written, start: moment(date), end: moment(end),
      source: source ?? "", isDayTotal: isDayTotal, now: now)
  }

  func moment(_ date: JSONValue?) -> Moment? {
    date?.string.flatMap { MomentText.read($0, in: zone) }
  }

  /// Returns a number, which may be a text, with a decimal comma or followed by its unit.
  static func number(_ value: JSONValue?) -> (Double, unit: String?)? {
    if let text = value?.number?.text {
      return Double(text).flatMap { $0.isFinite ? ($0, nil) : nil }
    }
    guard let text = value?.string else { return nil }
    let trimmed = text.replacing("\u{A0}", with: " ").trimmingPrefix(while: \.isWhitespace)
    let digits = trimmed.prefix { $0.isNumber && $0.isASCII || ".,-".contains($0) }
    guard !digits.isEmpty, let number = Double(digits.replacing(",", with: ".")), number.isFinite
    else { return nil }
    let unit = String(trimmed.dropFirst(digits.count)).filter { !$0.isWhitespace }
    return (number, unit.isEmpty ? nil : unit)
  }
}

extension VitalReading {
  /// Creates a value from what programs and people write; one rule for every form.
  ///
  /// - Parameters:
  ///   - unit: nil for the kind's own.
  ///   - start: nil if it could not be read.
  ///   - now: seconds since 1970.
  static func made(
    of kind: VitalKind, _ number: Double, unit: String?, start: Moment?, end: Moment? = nil,
    source: String, isDayTotal: Bool = false, now: Int64
  ) -> Result<VitalReading, VitalProblem> {
    guard let factor = kind.factor(of: unit ?? kind.ownUnit) else { return .failure(.unit) }
    guard let start else { return .failure(.date) }
    let exact = (number * factor).rounded()
    guard abs(exact) < 1e12 else { return .failure(.value) }
    // A daily value with only a date covers the whole day.
    let isDay = !kind.isSampled && start.secondOfDay == 0
    let reading = VitalReading(
      kind: kind, start: start, end: end ?? start,
      created: isDay ? Moment(seconds: start.seconds + 86_399, offset: start.offset) : nil,
      thousandths: Int64(exact), source: source, isDayTotal: isDayTotal)
    if let problem = reading.problem(now: now) { return .failure(problem) }
    return .success(reading)
  }
}

extension VitalKind {
  fileprivate var ownUnit: String {
    switch self {
    case .restingHeartRate, .heartRate, .walkingHeartRate: "count/min"
    case .steps: "count"
    case .weight: "kg"
    }
  }

  /// True if a day has many values of this kind.
  package var isSampled: Bool { self == .heartRate || self == .steps }

  /// Returns the kind for a name that programs use, compared only by letters and without case; nil for an
  /// unknown name.
  package static func named(_ name: String) -> VitalKind? {
    let plain = name.lowercased().filter { $0.isLetter }
    switch plain {
    case "restingheartrate", "hkquantitytypeidentifierrestingheartrate": return .restingHeartRate
    case "heartrate", "hkquantitytypeidentifierheartrate": return .heartRate
    case "walkingheartrate", "walkingheartrateaverage",
      "hkquantitytypeidentifierwalkingheartrateaverage":
      return .walkingHeartRate
    case "steps", "stepcount", "hkquantitytypeidentifierstepcount": return .steps
    case "weight", "bodymass", "weightbodymass", "hkquantitytypeidentifierbodymass":
      return .weight
    default: return nil
    }
  }
}
