// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Instructions
import Localization

/// Measures sentences of dosages that are read already: what they cost without the JSON around them.
struct InstructionsMeasurement {
  let responder: InstructionsResponder
  /// Long enough for a figure that can be trusted, on a processor that others use too.
  private let leastSeconds = 0.5

  /// The dosages of all lines said over and over, on one processor: `{"sentences","seconds"}`.
  func report(_ lines: [[UInt8]]) -> JSONValue {
    let dosages = lines.compactMap { line in
      (try? JSONValue(parsing: line)).flatMap { InstructionsResponder.dosages(of: $0) }
    }
    var (sentences, bytes) = (0, 0)
    // The first round reads the catalogues.
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

  /// What `clock` counts a second by (POSIX).
  private static let ticks = 1_000_000.0

  private func said(_ dosages: [DosageView]) -> Int {
    DosageWriter.sentence(for: dosages, form: responder.form, language: responder.language)
      .text.utf8.count
  }
}
