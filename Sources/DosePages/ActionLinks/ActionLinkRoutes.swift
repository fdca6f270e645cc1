// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import HTTPTypes
import Hummingbird
import People
import Plans
import Presentation
import Reminders
import Scheduling
import Storage
import Web

/// The pages of links in mails and notifications, which answer a dose or an alarm without signing
/// in.
///
/// Opening a link changes nothing, since mail scanners open all of them; only its button answers.
package enum ActionLinkRoutes {
  /// The routes of the links, and of the links that stop mails.
  package static let all: [Route] = [
    .open(.get, "/tap/:link", page),
    .open(.post, "/tap/:link", answer),
    .open(.get, "/off/:link", SilencePage.page),
    .open(.post, "/off/:link", SilencePage.silence),
  ]

  private static func page(_ call: Call) async throws -> Response {
    guard let found = try await find(call) else { return ActionLinkPage.dead(call) }
    return ActionLinkPage(found, secret: try secret(call)).response(call)
  }

  private static func answer(_ call: Call) async throws -> Response {
    let secret = try secret(call)
    let form = try await FormBody.read(call)
    guard let found = try await find(call) else { return ActionLinkPage.dead(call) }
    guard found.isOpen else { return ActionLinkPage(found, secret: secret).response(call) }
    let answer = ActionLinkAnswer(secret: secret, asked: Set(form.all("confirm")))
    let environment = call.environment
    let now = call.now
    do {
      let recorded = try await environment.database.write { writer in
        try answer.record(environment: environment, now: now, in: writer)
      }
      guard recorded != nil else { return ActionLinkPage.dead(call) }
      environment.live.changed(found.patient)
      // Redirects to the page, which now shows the answer, so that reloading posts nothing.
      return call.redirect(to: ReminderContent.actionLinkPath(secret))
    } catch AnswerError.confirm(let question) {
      var page = ActionLinkPage(found, secret: secret)
      page.question = question
      page.earlier = answer.asked
      return page.response(call)
    }
  }

  private static func find(_ call: Call) async throws -> ActionLink? {
    let secret = try secret(call)
    let environment = call.environment
    let now = call.now
    return try await environment.database.read { reader in
      try ActionLinks.find(secret, now: now, zones: environment.zones, in: reader)
    }
  }

  static func secret(_ call: Call) throws -> Secret {
    Secret(text: try call.parameter("link"))
  }
}

/// The effect of a press on the page of a link, in one transaction.
struct ActionLinkAnswer: Sendable {
  let secret: Secret
  /// The administrations that the person was asked about.
  let asked: Set<String>

  /// Records the link's answer for each open dose, or for the alarm, and returns their number; nil
  /// if the link is dead.
  ///
  /// A question stops all of it: nothing is recorded until it is answered.
  func record(
    environment: ServerEnvironment, now: Timestamp, in writer: any SQLWriter
  ) throws -> Int? {
    let accounts = environment.accounts
    guard
      let link = try ActionLinks.find(secret, now: now, zones: environment.zones, in: writer),
      let holder = try accounts.holder(link.recipient, of: link.patient, at: now, in: writer)
    else { return nil }
    guard link.isOpen else { return 0 }
    // The link acts for the account, but only for one patient.
    let actor = Actor(
      accountID: holder.account, kind: .token, rights: [link.patient: holder.right], scope: .own)
    let recorded: Int
    switch link.answer {
    case .dose(let action):
      let context = environment.commandContext(
        for: actor, byName: holder.displayName, now: now)
      recorded = try record(action, for: link, context, in: writer)
    case .alert(let action, let minutes):
      recorded = try record(
        AlertAnswer(action, minutes: minutes), for: link, actor, byName: holder.displayName,
        at: now, in: writer)
    }
    try ActionLinks.use(secret, at: now, in: writer)
    return recorded
  }

  private func record(
    _ answer: AlertAnswer, for link: ActionLink, _ actor: Actor, byName: String,
    at now: Timestamp, in writer: any SQLWriter
  ) throws -> Int {
    guard let alert = link.alert else { return 0 }
    let decision = decide(
      actor: actor, action: .update, patient: link.patient, resource: "Occasion",
      purpose: actor.purpose(with: link.patient))
    if case .deny(let reason) = decision { throw reason }
    do {
      _ = try AlertCommands.answer(
        alert.id, patient: link.patient, answer, account: actor.accountID, byName: byName,
        at: now, in: writer)
      return 1
    } catch AlertError.answered, AlertError.cancelled, AlertError.minutesOutOfRange {
      return 0
    } catch {
      throw error.failure
    }
  }

  private func record(
    _ action: AnswerAction, for link: ActionLink, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws -> Int {
    var recorded = 0
    for dose in link.open {
      do throws(AnswerError) {
        _ = try ConfirmedAnswer.answer(
          dose, patient: link.patient,
          AnswerRequest(
            action: action, minutes: action == .later ? ActionLinks.laterMinutes : nil),
          asked: asked, context: context, in: writer)
        recorded += 1
      } catch {
        switch error {
        case .answered, .stale, .cancelled, .invalid(.minutesOutOfRange): continue
        case .confirm: throw error
        default: throw error.failure
        }
      }
    }
    return recorded
  }
}
