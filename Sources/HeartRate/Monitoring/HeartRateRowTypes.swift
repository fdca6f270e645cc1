// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The settings in a row of `heart_rate_monitoring`.
struct HeartRateSettingsRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case isOn, method, windowFrom, windowUntil, isChosen, plans, hasWear, news, tellsFamily
    case falseDays
  }

  static let columns = SQLColumns<Column>()

  let settings: HeartRateSettings

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    var settings = HeartRateSettings()
    settings.isOn = try row.bool(.isOn)
    settings.method = try row.named(.method)
    let (from, until) = (
      Int(try row.integer(.windowFrom)), Int(try row.integer(.windowUntil))
    )
    settings.window = from..<max(from, until)
    let plans = try row.text(.plans).split(separator: "\n").map { PlanID(String($0)) }
    settings.plans = try row.bool(.isChosen) ? plans : nil
    settings.hasWear = try row.bool(.hasWear)
    settings.news = Int(try row.integer(.news))
    settings.tellsFamily = try row.bool(.tellsFamily)
    settings.budget = Thousandths.number(try row.integer(.falseDays))
    self.settings = settings
  }
}

/// A row of `heart_rate_monitoring` as settings are saved.
struct SavedHeartRateSettingsRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, isOn, method, windowFrom, windowUntil, isChosen, plans, hasWear, news, checked
    case nextCheck, changed, tellsFamily, falseDays
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let settings: HeartRateSettings
  let saved: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .isOn: SQLValue(settings.isOn)
    case .method: .text(settings.method.rawValue)
    case .windowFrom: SQLValue(settings.window.lowerBound)
    case .windowUntil: SQLValue(settings.window.upperBound)
    case .isChosen: SQLValue(settings.plans != nil)
    case .plans: .text((settings.plans ?? []).map(\.text).joined(separator: "\n"))
    case .hasWear: SQLValue(settings.hasWear)
    case .news: SQLValue(settings.news)
    case .checked: 0
    case .nextCheck, .changed: SQLValue(saved)
    case .tellsFamily: SQLValue(settings.tellsFamily)
    case .falseDays: .integer(Thousandths.of(settings.budget))
    }
  }
}

/// A row of `heart_rate_unmonitored`.
struct UnmonitoredPlanRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case plan, until }

  static let columns = SQLColumns<Column>()

  let plan: PlanID
  let until: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    plan = try row.id(.plan)
    until = try row.timestamp(.until)
  }
}

/// A row of `heart_rate_boundaries` as it is read.
struct BoundaryRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case since, owner, value, gap, phase, average, days, byName, created
  }

  static let columns = SQLColumns<Column>()

  let setting: BoundarySetting

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    guard let since = CivilDate(text: try row.text(.since)) else {
      throw row.unexpected(.since)
    }
    var setting = BoundarySetting(
      since: since, owner: try row.named(.owner),
      value: try row.optionalInteger(.value).map(Thousandths.number),
      gap: Thousandths.number(try row.integer(.gap)), byName: try row.text(.byName),
      created: try row.timestamp(.created))
    if let phase = try row.optionalText(.phase).flatMap(BoundarySetting.Phase.init(rawValue:)),
      let average = try row.optionalInteger(.average), let days = try row.optionalInteger(.days)
    {
      setting.calibration = .init(
        phase: phase, average: Thousandths.number(average), days: Int(days))
    }
    self.setting = setting
  }
}

/// A row of `heart_rate_boundaries` as it is written.
struct NewBoundaryRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, boundary, since, owner, value, gap, phase, average, days, account, byName
    case created
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let boundary: String
  let setting: BoundarySetting
  let account: AccountID

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .boundary: .text(boundary)
    case .since: .text(setting.since.text)
    case .owner: .text(setting.owner.rawValue)
    case .value: SQLValue(setting.value.map(Thousandths.of))
    case .gap: .integer(Thousandths.of(setting.gap))
    case .phase: SQLValue(setting.calibration?.phase.rawValue)
    case .average: SQLValue(setting.calibration.map { Thousandths.of($0.average) })
    case .days: SQLValue(setting.calibration?.days)
    case .account: .text(account)
    case .byName: .text(setting.byName)
    case .created: SQLValue(setting.created)
    }
  }
}

/// The account that set a limit in `heart_rate_boundaries`.
struct BoundaryOwnerRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case owner, account, byName }

  static let columns = SQLColumns<Column>()

  let owner: String
  let account: String
  let byName: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    owner = try row.text(.owner)
    account = try row.text(.account)
    byName = try row.text(.byName)
  }
}
