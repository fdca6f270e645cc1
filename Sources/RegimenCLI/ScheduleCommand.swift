// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TimeZones

/// The command `regimen schedule`.
struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Turns FHIR Timings and dosing rules into dose times.",
    discussion: """
      Reads one JSON object per line: \
      {"id","timing":{}|"rule":{}|"dosages":[],"tz","start","end","anchor"?,"events"?,"settings"?} and answers each in place: {"id","instants":[...],"doses"?} or {"id","error"}. With --explain an \
      answer has "explanations", for each instant the rules that led to it, and, where the line has \
      "before":{"timing"|"rule"|"dosages"?,"tz"?,"anchor"?,"events"?,"settings"?}, "changes": the doses that differ. \
      Needs no data folder and no server.
      """)

  @Argument(help: "The file, or - for standard input.")
  var file = "-"
  @Flag(help: "Explain for each dose time which rules set it.")
  var explain = false

  func run() throws {
    let responder = ScheduleResponder(zones: ZoneCatalog(), isExplained: explain)
    try AnsweredLine.answerAll(of: file) { responder.answer($0, into: &$1) }
  }
}
