// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Reminders
import Storage
import Web

/// The form that answers an alert, such as an alarm, from any page that shows it.
package enum RingAlertAnswer {
  @Sendable static func submit(_ form: PostedForm) async throws -> Response {
    let found = try await RingingReminder.read(form.call)
    guard let alert = found.reminder.alert else { throw Failure.notFound }
    _ = try form.call.authorize(.update, "Occasion", of: alert.patient)
    let words = (form.text("action") ?? "").split(separator: " ")
    guard let action = words.first.flatMap({ AlertAnswer.Action(rawValue: String($0)) }) else {
      throw Failure.badRequest("value", "action must be done, declined, later or undo.")
    }
    let minutes = words.count > 1 ? Int(words[1]) : nil
    let answer = AlertAnswer(action, minutes: minutes, event: form.text("event"))
    let (account, now) = (form.signedIn.account, form.call.now)
    var done = action.rawValue
    do {
      try await form.run { _, writer in
        _ = try AlertCommands.answer(
          alert.id, patient: alert.patient, answer, account: account.id,
          byName: account.displayName, at: now, in: writer)
      }
    } catch let error as AlertError {
      switch error {
      // The page shows who answered first.
      case .answered, .cancelled: done = "first"
      case .minutesOutOfRange: done = "late"
      case .missingMinutes:
        throw Failure.badRequest("value", "later needs a number of minutes.")
      case .notFound: throw Failure.notFound
      case .eventUsedElsewhere:
        throw Failure.badRequest("value", "event was used before. Send a new UUID.")
      case .storage(let error): throw error
      }
    }
    form.call.environment.live.changed(alert.patient)
    let path = form.text("return") ?? ""
    let known = ["/ring", "/alarms", "/nightstand", "/"]
    let place = known.contains(path) ? path : "/ring/\(alert.subject)"
    return form.redirect(to: "\(place)?answer=\(done)")
  }
}
