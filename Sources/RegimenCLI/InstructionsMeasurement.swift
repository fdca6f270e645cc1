// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Instructions
import Localization

/// Measures dosage sentences without reading JSON.
struct InstructionsMeasurement {
  let responder: InstructionsResponder
  /// The minimum duration in seconds for a reliable figure, also on a shared processor.
  private let leastSeconds = 0.5

  /// Formats the dosages of all lines repeatedly on one processor: `{"sentences","seconds"}`.
  func report(_ lines: [[UInt8]]) -> JSONValue {
    let dosages = lines.compactMap { line in
      (try? JSONValue(parsing: line)).flatMap { InstructionsResponder.dosages(of: $0) }
    }
    var (sentences, bytes) = (0, 0)
    // The first round loads the catalogues.
    for own in dosages { bytes += said(own) }
    let begin = clock()
    while !dosages.isEmpty, Double(clock() - begin) < leastSeconds * Self.ticks {
      for own in dosages { bytes += said(own) }
      sentences += dosages.count
    }
    let seconds = Double(clock() - begin) / Self.ticks
    return [
      "sentences": .number(JSONNumber(sentences)), "seconds": .string(String(seconds)),
      "bytes": .number(JSONNumber(bytes)),
    ]
  }

  /// The unit of `clock`: ticks per second (POSIX).
  private static let ticks = 1_000_000.0

  private func said(_ dosages: [DosageView]) -> Int {
    DosageWriter.sentence(for: dosages, form: responder.form, language: responder.language)
      .text.utf8.count
  }
}
