// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HealthData

/// The options for the columns of a table: each is a column's name, its number from 1, or `=` and a
/// fixed text.
struct ColumnOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Column of the date, or of date and time.", valueName: "column"))
  var time: String?
  @Option(help: ArgumentHelp("Column of the time of day.", valueName: "column"))
  var clock: String?
  @Option(help: ArgumentHelp("Column of the value.", valueName: "column"))
  var value: String?
  @Option(
    help: ArgumentHelp(
      "Column of what was measured, or =resting-heart-rate, =heart-rate, =steps, =weight.",
      valueName: "column"))
  var metric: String?
  @Option(help: ArgumentHelp("Column of the unit, or a unit such as =lb.", valueName: "column"))
  var unit: String?
  @Option(
    help: ArgumentHelp(
      "Column of the time zone, or a zone such as =Europe/Oslo. Default: the patient's.",
      valueName: "column"))
  var zone: String?
  @Option(help: ArgumentHelp("Column of the device, or a name such as =Band.", valueName: "column"))
  var source: String?

  /// The options as typed.
  var answers: [TableMapping.Question: String] {
    let typed: [(TableMapping.Question, String?)] = [
      (.time, time), (.clock, clock), (.value, value), (.metric, metric), (.unit, unit),
      (.zone, zone), (.source, source),
    ]
    return Dictionary(
      uniqueKeysWithValues: typed.compactMap { entry in
        entry.1.map { (entry.0, $0) }
      })
  }
}
