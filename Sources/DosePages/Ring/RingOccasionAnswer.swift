// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Hummingbird
import Reminders
import Storage
import Web

/// An answer to what rings besides doses, from any page that shows it.
package enum RingOccasionAnswer {
  @Sendable static func submit(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    let found = try await RungReminder.read(call)
    guard let occasion = found.reminder.occasion else { throw Failure.notFound }
    _ = try call.authorize(.update, "Occasion", of: occasion.patient)
    let words = (form.text("action") ?? "").split(separator: " ")
    guard let action = words.first.flatMap({ OccasionAnswer.Action(rawValue: String($0)) }) else {
      throw Failure.badRequest("value", "action must be done, declined, later or undo.")
    }
    let minutes = words.count > 1 ? Int(words[1]) : nil
    let answer = OccasionAnswer(action, minutes: minutes, event: form.text("event"))
    let (account, now) = (signedIn.account, call.now)
    var done = action.rawValue
    do {
      try await call.environment.database.write { writer in
        _ = try OccasionCommands.answer(
          occasion.id, patient: occasion.patient, answer, account: account.id,
          byName: account.displayName, at: now, in: writer)
      }
    } catch let error as OccasionError {
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
    call.environment.live.changed(occasion.patient)
    let path = form.text("return") ?? ""
    let known = ["/ring", "/alarms", "/nightstand", "/"]
    let place = known.contains(path) ? path : "/ring/\(occasion.subject)"
    return call.redirect(to: "\(place)?answer=\(done)")
  }
}
