// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Calendar
import Hummingbird
import Identifiers
import Reminders
import SiteMap
import Storage
import Web

/// How reminders ring for a person: the ladder, quiet hours, the family, and what is off.
package enum EscalationRoutes {
  package static let all: [Route] = [
    .page(.get, Address.escalation, page),
    .page(.post, "/reminders/ladder", escalation),
    .page(.post, "/reminders/quiet", quiet),
    .page(.post, "/reminders/mornings", SleepInForm.submit),
    .page(.post, "/reminders/channels", channels),
    .page(.post, "/reminders/family", family),
    .page(.post, "/reminders/told", told),
    .page(.post, "/reminders/standby", standby),
    .page(.post, "/reminders/clock", clock),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await EscalationPage.read(call, signedIn).response(call)
  }

  private static func escalation(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (form, patient) = try await opened(call, signedIn)
    var page = try await EscalationPage.read(call, signedIn)
    let (account, now) = (signedIn.account.id, call.now)
    var chosen: EscalationPolicy?
    if form.text("do") != "standard" {
      let input = EscalationInput(form)
      let agreed = page.choices.family.filter(\.isAccepted).map(\.account)
      do throws(EscalationInput.Mistake) {
        chosen = try input.escalation(
          family: Set(agreed), guardians: Set(page.choices.standby.waiting.map(\.account)))
      } catch {
        page.input = input
        page.mistakes = [error]
        return page.response(call)
      }
    }
    try await call.environment.database.write { [chosen] writer in
      try EscalationCommands.keep(chosen, of: patient, by: account, at: now, in: writer)
    }
    return call.redirect(to: "\(Address.escalation)?done=saved")
  }

  private static func quiet(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (form, patient) = try await opened(call, signedIn)
    let from = form.text("quiet-from").map(minutes)
    let until = form.text("quiet-until").map(minutes)
    var hours: QuietHours?
    if from != nil || until != nil {
      hours = (from ?? nil).flatMap { start in
        (until ?? nil).flatMap { QuietHours(from: start, until: $0) }
      }
      guard hours != nil else {
        var page = try await EscalationPage.read(call, signedIn)
        page.typedQuiet = (form.text("quiet-from") ?? "", form.text("quiet-until") ?? "")
        return page.response(call)
      }
    }
    let names = form.isChecked("names")
    let (account, now) = (signedIn.account.id, call.now)
    try await call.environment.database.write { [hours] writer in
      try EscalationCommands.keep(
        quiet: hours, namesMedicine: names, of: patient, by: account, at: now, in: writer)
    }
    return call.redirect(to: "\(Address.escalation)?done=saved")
  }

  private static func channels(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (form, patient) = try await opened(call, signedIn)
    let on = Set(form.all("channel").compactMap(ReminderChannel.init(rawValue:)))
    let (account, now) = (signedIn.account.id, call.now)
    try await call.environment.database.write { writer in
      try EscalationCommands.silence(
        Set(ReminderChannel.allCases).subtracting(on), of: patient, account: account, at: now,
        in: writer)
    }
    return call.redirect(to: "\(Address.escalation)?done=saved")
  }

  /// Offers to the family that they are told, or ends it.
  private static func family(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (form, patient) = try await opened(call, signedIn)
    guard let relative = form.text("account").map(AccountID.init) else {
      throw Failure.badRequest("value", "account must name somebody.")
    }
    let isOffer = form.text("do") == "offer"
    let (account, now) = (signedIn.account.id, call.now)
    try await call.environment.database.write { writer in
      if isOffer {
        guard
          try EscalationCommands.offer(
            to: relative, of: patient, by: account, at: now, in: writer)
        else { throw Failure.notFound }
      } else {
        try EscalationCommands.withdraw(relative, of: patient, by: account, at: now, in: writer)
      }
    }
    return call.redirect(to: "\(Address.escalation)?done=saved#family")
  }

  /// A guardian waits until nobody else answered, or is told at once again: their own choice.
  private static func standby(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (form, patient) = try await opened(call, signedIn)
    let waits = form.text("do") == "wait"
    let (account, now, accounts) = (
      signedIn.account.id, call.now, call.environment.accounts
    )
    let isTaken = try await call.environment.database.write { writer in
      try EscalationStandby.choose(
        waits, of: patient, account: account, accounts: accounts, at: now, in: writer)
    }
    guard isTaken else { throw Failure.notFound }
    return call.redirect(to: "\(Address.escalation)?done=saved#standby")
  }

  /// Whether the person is told the evening before the clocks are set.
  private static func clock(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (form, patient) = try await opened(call, signedIn)
    let tells = form.text("do") == "tell"
    let (account, now) = (signedIn.account.id, call.now)
    try await call.environment.database.write { writer in
      try ClockNotices.choose(tells, of: patient, by: account, at: now, in: writer)
    }
    return call.redirect(to: "\(Address.escalation)?done=saved#clock")
  }

  /// The one who is to be told agrees, or does not want it any more: only about the own account.
  private static func told(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let form = try await FormBody.read(call)
    try ForgeryGuard.checkToken(form, of: call)
    guard let patient = form.text("patient").map(PatientID.init) else {
      throw Failure.badRequest("value", "patient must name somebody.")
    }
    let isAccepted = form.text("do") == "accept"
    let (account, now) = (signedIn.account.id, call.now)
    try await call.environment.database.write { writer in
      if isAccepted {
        guard try EscalationCommands.accept(patient, account: account, at: now, in: writer) else {
          throw Failure.notFound
        }
      } else {
        // Nothing is said about patients of whom nothing was offered.
        guard
          try EscalationCommands.offers(to: account, at: now, in: writer)
            .contains(where: { $0.patient == patient })
        else { throw Failure.notFound }
        try EscalationCommands.withdraw(account, of: patient, by: account, at: now, in: writer)
      }
    }
    return call.redirect(to: "\(Address.escalation)?done=saved#told")
  }

  /// The form, and the patient for whom the account acts.
  private static func opened(
    _ call: Call, _ signedIn: SignedIn
  ) async throws -> (FormBody, PatientID) {
    let form = try await FormBody.read(call)
    try ForgeryGuard.check(form, of: call)
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.update, "MedicationRequest", of: patient)
    return (form, patient)
  }

  /// Minutes after midnight of `22:30`.
  static func minutes(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour),
      (0...59).contains(minute)
    else { return nil }
    return hour * 60 + minute
  }
}
