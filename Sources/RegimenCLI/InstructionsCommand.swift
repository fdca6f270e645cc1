// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import FHIR
import Foundation
import Instructions
import Localization
import Synchronization

extension DosageForm: ExpressibleByArgument {}

/// The command `regimen instructions`.
struct InstructionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "instructions",
    abstract: "Turns FHIR dosages into sentences.",
    discussion: """
      Reads one JSON object per line: {"id","dosage":{}|"dosages":[],"lang"?}, a MedicationRequest or a \
      DSTU2 MedicationOrder, and answers each in place: {"id","text","unvoiced":[paths]} or \
      {"id","error"}. An answer has "mismatches" where the sender's own text has numbers or times \
      that no element states. Needs no data folder and no server.
      """)

  @Argument(help: "The file, or - for standard input.")
  var file = "-"
  @Option(help: "The language: en, de, nb, th, tr, fr, es, it, pt or nl.")
  var language = "en"
  @Option(help: "The form: patient, short or clinical.")
  var form = DosageForm.patient
  @Flag(
    help: ArgumentHelp("Measure the sentences without reading and writing.", visibility: .hidden))
  var measure = false

  /// The number of lines answered together if that many are waiting.
  private static let batch = 8192

  func validate() throws {
    if SentenceLanguage(tag: language) == nil {
      throw ValidationError(
        "There are no sentences in \(language). Use en, de, nb, th, tr, fr, es, it, pt or nl.")
    }
  }

  func run() throws {
    let responder = InstructionsResponder(
      language: SentenceLanguage(tag: language) ?? .en, form: form)
    var lines = InputLines(try InputFile.open(file))
    if measure {
      var all: [[UInt8]] = []
      while case .content(let line)? = lines.next() { all.append(Array(line)) }
      let report = InstructionsMeasurement(responder: responder).report(all)
      try write([report.bytes, [UInt8(ascii: "\n")]])
      return
    }
    var waiting: [InputLines.Line] = []
    while let line = lines.next() {
      waiting.append(line)
      if waiting.count < Self.batch, lines.hasWaiting { continue }
      try write(Self.answers(waiting, responder))
      waiting.removeAll(keepingCapacity: true)
    }
  }

  /// Returns the answers to some lines in order, computed on all processors if that is worth it.
  private static func answers(
    _ lines: [InputLines.Line], _ responder: InstructionsResponder
  ) -> [[UInt8]] {
    let workers = min(ProcessInfo.processInfo.activeProcessorCount, 1 + lines.count / 256)
    let results = Mutex([[UInt8]](repeating: [], count: workers))
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      var output: [UInt8] = []
      let from = lines.count * worker / workers
      let end = lines.count * (worker + 1) / workers
      for line in lines[from..<end] { responder.answer(line, into: &output) }
      results.withLock { $0[worker] = output }
    }
    return results.withLock { $0 }
  }

  private func write(_ answers: [[UInt8]]) throws {
    do {
      for answer in answers where !answer.isEmpty {
        try FileHandle.standardOutput.write(contentsOf: answer)
      }
    } catch {
      throw CommandFailure(description: "The answers cannot be written to standard output.")
    }
  }
}
