// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TimeZones

/// `regimen schedule`.
struct ScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Turns FHIR Timings and dosing rules into the instants of doses.",
    discussion: """
      Reads one JSON object a line: {"id","timing":{}|"rule":{},"tz","start","end","anchor"?,"events"?} \
      and answers each in place: {"id","instants":[...],"doses"?} or {"id","error"}. With --explain an \
      answer has "explanations", for each instant the rules that led to it, and, where the line has \
      "before":{"timing"|"rule"?,"tz"?,"anchor"?,"events"?}, "changes": the doses that differ. \
      Needs no data folder and no server.
      """)

  @Argument(help: "The file, or - for standard input.")
  var file = "-"
  @Flag(help: "Say for each instant which rules led to it.")
  var explain = false

  func run() throws {
    let answering = ScheduleAnswering(zones: ZoneCatalog(), isExplained: explain)
    var lines = InputLines(try InputFile.open(file))
    var output: [UInt8] = []
    while let line = lines.next() {
      switch line {
      case .content(let bytes):
        guard bytes.contains(where: { $0 > 0x20 }) else { continue }
        answering.answer(bytes, into: &output)
      case .tooLong:
        answering.refuse("The line is longer than \(InputLines.longest) bytes.", into: &output)
      }
      // What waits for each answer is a pipe; what does not is quicker in large pieces.
      if output.count >= 1 << 16 || !lines.hasWaiting { try write(&output) }
    }
    try write(&output)
  }

  private func write(_ output: inout [UInt8]) throws {
    if output.isEmpty { return }
    do {
      try FileHandle.standardOutput.write(contentsOf: output)
    } catch {
      throw CommandFailure(description: "The answers cannot be written.")
    }
    output.removeAll(keepingCapacity: true)
  }
}
