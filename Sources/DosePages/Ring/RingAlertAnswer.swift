// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Reminders
import Storage
import Web

/// An answer to what rings besides doses, from any page that shows it.
package enum RingAlertAnswer {
  @Sendable static func submit(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    let found = try await RingingReminder.read(call)
    guard let alert = found.reminder.alert else { throw Failure.notFound }
    _ = try call.authorize(.update, "Occasion", of: alert.patient)
    let words = (form.text("action") ?? "").split(separator: " ")
    guard let action = words.first.flatMap({ AlertAnswer.Action(rawValue: String($0)) }) else {
      throw Failure.badRequest("value", "action must be done, declined, later or undo.")
    }
    let minutes = words.count > 1 ? Int(words[1]) : nil
    let answer = AlertAnswer(action, minutes: minutes, event: form.text("event"))
    let (account, now) = (signedIn.account, call.now)
    var done = action.rawValue
    do {
      try await call.environment.database.write { writer in
        _ = try AlertCommands.answer(
          alert.id, patient: alert.patient, answer, account: account.id,
          byName: account.displayName, at: now, in: writer)
      }
    } catch let error as AlertError {
      switch error {
      // The page shows who was first.
      case .answered, .cancelled: done = "first"
      case .minutesOutOfRange: done = "late"
      case .missingMinutes:
        throw Failure.badRequest("value", "later needs a number of minutes.")
      case .notFound: throw Failure.notFound
      case .eventUsedElsewhere: throw Failure.badRequest("value", "event was used before.")
      case .storage(let error): throw error
      }
    }
    call.environment.live.changed(alert.patient)
    let path = form.text("return") ?? ""
    let known = ["/ring", "/alarms", "/nightstand", "/"]
    let place = known.contains(path) ? path : "/ring/\(alert.subject)"
    return call.redirect(to: "\(place)?answer=\(done)")
  }
}
