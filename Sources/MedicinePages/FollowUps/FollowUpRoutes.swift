// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import Dosing
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// The answer whether an as-needed dose helped, and the choice about the question.
package enum FollowUpRoutes {
  /// The form of the answer, and the page of the choice.
  package static let all: [Route] = [
    .form("/follow-ups/:administration", answer),
    .medicinePage("/medicines/:plan/follow-up", page),
    .form("/medicines/:plan/follow-up", save),
  ]

  static func address(of plan: PlanID) -> String { "/medicines/\(plan)/follow-up" }

  private static func answer(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, AdministrationResource.type)
    let patient = form.patient
    let administration = AdministrationID(try form.parameter("administration"))
    guard let answer = form.text("answer").flatMap(FollowUpAnswer.init(rawValue:)) else {
      throw Failure.unprocessable("value", "answer must be much, little, no or too-early.")
    }
    do {
      try await form.run { context, writer in
        try FollowUpCommands.answer(
          answer, about: administration, patient: patient, context: context, in: writer)
      }
    } catch FollowUpError.closed {
      // The page was old: it is shown again without the question.
    }
    form.call.environment.live.changed(patient)
    let page = form.text("from").flatMap(FollowUpCard.Page.init(rawValue:)) ?? .today
    return form.redirect(to: page == .today ? "/" : Address.asNeeded)
  }

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let plan = try await call.plan(of: signedIn, to: .update)
    return try await show(call, plan)
  }

  private static func show(
    _ call: Call, _ plan: Plan, typed: FollowUpInput? = nil
  ) async throws -> Response {
    let (zones, now) = (call.environment.zones, call.now)
    let facts = try await call.environment.database.read { reader in
      let zone = try PeopleQueries.zone(plan.patient, zones: zones, in: reader)
      return try FollowUpQueries.facts(
        of: [FollowUpMedicine(plan)], patient: plan.patient, now: now, zone: zone, in: reader)
    }
    guard let facts = facts.first else { throw Failure.notFound }
    return FollowUpPage(facts: facts, input: typed ?? FollowUpInput(facts.choice)).response(call)
  }

  private static func save(_ form: PostedForm) async throws -> Response {
    let plan = try await form.call.plan(of: form.signedIn, to: .update)
    let input = FollowUpInput(form.fields)
    guard let choice = input.choice else { return try await show(form.call, plan, typed: input) }
    try await form.run { context, writer in
      try FollowUpCommands.choose(
        choice, ofPlan: plan.id, patient: plan.patient, context: context, in: writer)
    }
    return form.redirect(to: "\(address(of: plan.id))?done=saved")
  }
}

/// The form of the choice, as typed.
struct FollowUpInput: Sendable {
  /// The time at which the question comes.
  enum Time: String, Sendable, CaseIterable {
    case usual, own, never
  }

  let time: Time?
  let minutes: String
  let isForHeadache: Bool

  init(_ choice: FollowUpChoice) {
    time = !choice.isAsked ? .never : choice.minutes == nil ? .usual : .own
    minutes = choice.minutes.map { String($0) } ?? ""
    isForHeadache = choice.isForHeadache
  }

  init(_ fields: FormBody) {
    time = fields.text("time").flatMap(Time.init(rawValue:))
    minutes = fields.text("minutes") ?? ""
    isForHeadache = fields.all("headache").contains("yes")
  }

  /// The choice; nil if the minutes are not a number in the allowed range, or nothing is chosen.
  var choice: FollowUpChoice? {
    guard let time else { return nil }
    var number: Int?
    if time == .own {
      guard let typed = Int(minutes), FollowUpTiming.allowed.contains(typed) else { return nil }
      number = typed
    }
    return FollowUpChoice(
      isAsked: time != .never, minutes: number, isForHeadache: isForHeadache)
  }
}
