// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HealthData

/// The options for the columns of a table: each is a column's name, its number from 1, or `=` and a
/// fixed text.
struct ColumnOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The column of the date, or of date and time.", valueName: "column"))
  var time: String?
  @Option(help: ArgumentHelp("The column of the time of day.", valueName: "column"))
  var clock: String?
  @Option(help: ArgumentHelp("The column of the value.", valueName: "column"))
  var value: String?
  @Option(
    help: ArgumentHelp(
      "The column that says what was measured, or =resting-heart-rate, =heart-rate, =steps, =weight.",
      valueName: "column"))
  var metric: String?
  @Option(help: ArgumentHelp("The column of the unit, or such as =lb.", valueName: "column"))
  var unit: String?
  @Option(
    help: ArgumentHelp(
      "The column of the time zone, or such as =Europe/Oslo; without it the patient's.",
      valueName: "column"))
  var zone: String?
  @Option(help: ArgumentHelp("The column of the device, or such as =Band.", valueName: "column"))
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
