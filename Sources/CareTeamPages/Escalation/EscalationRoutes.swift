// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Calendar
import Hummingbird
import Identifiers
import People
import Reminders
import SiteMap
import Web

/// The pages about a person's reminders: the escalation policy, quiet hours, relatives and channels.
package enum EscalationRoutes {
  /// The routes of the pages about reminders and their forms.
  package static let all: [Route] = [
    .page(.get, EscalationView.policy.address) { try await page(.policy, $0, $1) },
    .page(.get, EscalationView.quiet.address) { try await page(.quiet, $0, $1) },
    .page(.get, EscalationView.sleepIn.address) { try await page(.sleepIn, $0, $1) },
    .page(.get, EscalationView.family.address) { try await page(.family, $0, $1) },
    change("/reminders/ladder", escalation),
    change(EscalationView.quiet.address, quiet),
    change(EscalationView.sleepIn.address, SleepInForm.submit),
    change("/reminders/channels", channels),
    change(EscalationView.family.address, family),
    .accountForm("/reminders/told", told),
    change("/reminders/standby", standby),
    change("/reminders/clock", clock),
  ]

  /// Returns the route of a form that changes the reminders of the person whose pages are shown.
  private static func change(
    _ path: String, _ submit: @escaping @Sendable (PostedForm) async throws -> Response
  ) -> Route {
    .form(path) { form in
      _ = try form.authorize(.update, "MedicationRequest")
      return try await submit(form)
    }
  }

  private static func page(
    _ view: EscalationView, _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    try await EscalationPage.read(view, call, signedIn).response(call)
  }

  private static func escalation(_ form: PostedForm) async throws -> Response {
    var page = try await EscalationPage.read(.policy, form.call, form.signedIn)
    var chosen: EscalationPolicy?
    if form.text("do") != "standard" {
      let input = EscalationInput(form.fields)
      let agreed = page.choices.family.filter(\.isAccepted).map(\.account)
      do throws(EscalationInput.Mistake) {
        chosen = try input.escalation(
          family: Set(agreed), guardians: Set(page.choices.standby.waiting.map(\.account)))
      } catch {
        page.input = input
        page.mistakes = [error]
        return page.response(form.call)
      }
    }
    let patient = form.patient
    try await form.run { [chosen] context, writer in
      try EscalationCommands.keep(
        chosen, of: patient, by: context.actor.accountID, at: context.now, in: writer)
    }
    return form.redirect(to: EscalationView.policy.saved)
  }

  private static func quiet(_ form: PostedForm) async throws -> Response {
    let from = form.text("quiet-from").map(minutes)
    let until = form.text("quiet-until").map(minutes)
    var hours: QuietHours?
    if from != nil || until != nil {
      hours = (from ?? nil).flatMap { start in
        (until ?? nil).flatMap { QuietHours(from: start, until: $0) }
      }
      guard hours != nil else {
        var page = try await EscalationPage.read(.quiet, form.call, form.signedIn)
        page.typedQuiet = (form.text("quiet-from") ?? "", form.text("quiet-until") ?? "")
        return page.response(form.call)
      }
    }
    let (patient, names) = (form.patient, form.isChecked("names"))
    try await form.run { [hours] context, writer in
      try EscalationCommands.keep(
        quiet: hours, namesMedicine: names, of: patient, by: context.actor.accountID,
        at: context.now, in: writer)
    }
    return form.redirect(to: EscalationView.quiet.saved)
  }

  private static func channels(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    let on = Set(form.fields.all("channel").compactMap(ReminderChannel.init(rawValue:)))
    try await form.run { context, writer in
      try EscalationCommands.silence(
        Set(ReminderChannel.allCases).subtracting(on), of: patient,
        account: context.actor.accountID, at: context.now, in: writer)
    }
    return form.redirect(to: EscalationView.policy.saved)
  }

  /// Offers a relative to be told about missed doses, or ends it.
  private static func family(_ form: PostedForm) async throws -> Response {
    guard let relative = form.text("account").map(AccountID.init) else {
      throw Failure.badRequest("value", "Send the person's id in account.")
    }
    let patient = form.patient
    let isOffer = form.text("do") == "offer"
    try await form.run { context, writer in
      let (account, now) = (context.actor.accountID, context.now)
      if isOffer {
        guard
          try EscalationCommands.offer(
            to: relative, of: patient, by: account, at: now, in: writer)
        else { throw Failure.notFound }
      } else {
        try EscalationCommands.withdraw(relative, of: patient, by: account, at: now, in: writer)
      }
    }
    return form.redirect(to: EscalationView.family.saved)
  }

  /// Chooses whether a guardian waits until no one else has answered, or is told at once.
  private static func standby(_ form: PostedForm) async throws -> Response {
    let (patient, accounts) = (form.patient, form.call.environment.accounts)
    let waits = form.text("do") == "wait"
    let isTaken = try await form.run { context, writer in
      try EscalationStandby.choose(
        waits, of: patient, account: context.actor.accountID, accounts: accounts,
        at: context.now, in: writer)
    }
    guard isTaken else { throw Failure.notFound }
    return form.redirect(to: "\(EscalationView.family.saved)#standby")
  }

  /// Saves whether the person is told on the evening before a clock change.
  private static func clock(_ form: PostedForm) async throws -> Response {
    let patient = form.patient
    let tells = form.text("do") == "tell"
    try await form.run { context, writer in
      try ClockNotices.choose(
        tells, of: patient, by: context.actor.accountID, at: context.now, in: writer)
    }
    return form.redirect(to: "\(EscalationView.quiet.saved)#clock")
  }

  /// Agrees to messages about a patient, or ends them.
  private static func told(_ form: PostedForm) async throws -> Response {
    guard let patient = form.text("patient").map(PatientID.init) else {
      throw Failure.badRequest("value", "Send the patient's id in patient.")
    }
    let isAccepted = form.text("do") == "accept"
    try await form.run { context, writer in
      let (account, now) = (context.actor.accountID, context.now)
      if isAccepted {
        guard try EscalationCommands.accept(patient, account: account, at: now, in: writer) else {
          throw Failure.notFound
        }
      } else {
        // Reveals nothing about patients without an offer.
        guard
          try EscalationCommands.offers(to: account, at: now, in: writer)
            .contains(where: { $0.patient == patient })
        else { throw Failure.notFound }
        try EscalationCommands.withdraw(account, of: patient, by: account, at: now, in: writer)
      }
    }
    return form.redirect(to: "\(EscalationView.family.saved)#told")
  }

  /// Returns the minutes after midnight of a time such as `22:30`.
  static func minutes(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour),
      (0...59).contains(minute)
    else { return nil }
    return hour * 60 + minute
  }
}
