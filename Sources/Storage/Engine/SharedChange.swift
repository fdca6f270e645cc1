// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// A message between processes that share a database: the patients whose data changed, never the data.
package struct SharedChange: Sendable, Hashable {
  /// The patients whose data changed; nil for any, since messages may have been lost.
  package let patients: Set<PatientID>?
  /// True if the reminder loop must check for work; otherwise only open pages are updated.
  package let wakesReminders: Bool

  /// The maximum length of a message; the database rejects longer ones.
  private static let longestMessage = 7_000

  /// Creates a change of the data of some patients, or of any for nil.
  package init(patients: Set<PatientID>?, wakesReminders: Bool) {
    self.patients = patients
    self.wakesReminders = wakesReminders
  }

  /// Reads one message; nil if it is not valid.
  init?(message: String) {
    var words = message.split(separator: " ").map(String.init)[...]
    switch words.popFirst() {
    case "all": self.init(patients: nil, wakesReminders: true)
    case "loop": self.init(patients: Set(words.map(PatientID.init)), wakesReminders: true)
    case "pages": self.init(patients: Set(words.map(PatientID.init)), wakesReminders: false)
    default: return nil
    }
  }

  /// The change split into as few messages as possible.
  var messages: [String] {
    guard let patients else { return ["all"] }
    var messages: [String] = []
    var message = ""
    for patient in patients.sorted() {
      if message.isEmpty || message.utf8.count + patient.text.utf8.count >= Self.longestMessage {
        if !message.isEmpty { messages.append(message) }
        message = wakesReminders ? "loop" : "pages"
      }
      message += " \(patient)"
    }
    if !message.isEmpty { messages.append(message) }
    return messages.count > 20 ? ["all"] : messages
  }
}
