// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import Dosing
import Identifiers
import People
import Plans
import Presentation
import Storage
import Web

/// A person whom the account cares for, with their open doses and ways to contact them.
struct HouseholdMember: Sendable {
  /// The most people that one card lists.
  static let most = 8

  let person: PersonInReach
  /// The doses; nil for a person without an open or future dose.
  let doses: HouseholdDoses?
  /// True if the medicines are shared; otherwise only the states of doses are.
  let namesMedicines: Bool
  /// The phone number; empty if none is entered, or if no dose is open.
  var phone = ""
  var mayNudge = false
  /// The address of the conversation with the person; nil if there can be none.
  var conversation: String?

  /// The doses to answer now.
  var open: [Dose] { doses?.open ?? [] }
  var isOverdue: Bool { doses?.isOverdue ?? false }

  /// Reads the people whose Today is shared with the account, those with overdue doses first, then
  /// those with due ones.
  static func read(
    _ today: TodayContext
  ) throws -> (members: [HouseholdMember], accesses: [TodayAddition.DataAccess]) {
    let call = today.call
    var shared: [(person: PersonInReach, authorization: Authorization, isNamed: Bool)] = []
    for person in call.people where shared.count < most && isCaredFor(person) {
      if let authorization = try? call.authorize(.read, "Dose", of: person.patient) {
        shared.append((person, authorization, true))
      } else if let authorization = try? call.authorize(.read, "DoseState", of: person.patient) {
        shared.append((person, authorization, false))
      }
    }
    if shared.isEmpty { return ([], []) }
    let doses = try DoseQueries.household(
      shared.map(\.person.patient), now: today.now, zones: today.environment.zones,
      in: today.reader)
    var members = shared.map { one in
      HouseholdMember(
        person: one.person, doses: doses[one.person.patient], namesMedicines: one.isNamed)
    }
    let isWaiting = members.contains { !$0.open.isEmpty }
    let rights = today.signedIn.actor.rights
    let offers =
      isWaiting
      ? try MessageCommands.offers(to: today.signedIn.account.id, rights: rights, in: today.reader)
      : []
    for index in members.indices where !members[index].open.isEmpty {
      try members[index].addWays(today, offers)
    }
    let accesses = shared.map { one in
      TodayAddition.DataAccess(
        authorization: one.authorization,
        count: doses[one.person.patient].map { $0.open.count + $0.next.count } ?? 0)
    }
    return (sorted(members), accesses)
  }

  /// Returns false for a practitioner's patients, who have their own pages.
  private static func isCaredFor(_ person: PersonInReach) -> Bool {
    switch person.right.relationship {
    case .guardian, .family: !person.isOwn
    case .self_, .practitioner, .emergency: false
    }
  }

  private mutating func addWays(_ today: TodayContext, _ offers: [MessageOffer]) throws {
    let patient = person.patient
    if (try? today.call.authorize(.read, "Patient", of: patient)) != nil {
      phone = try PeopleQueries.details(patient, in: today.reader)?.details.phone ?? ""
    }
    mayNudge =
      person.right.shares(.adherence)
      && offers.contains { $0.patient == patient && $0.isAgreed && $0.mayNudge }
    let account = today.signedIn.account.id
    if case .member? = ChatStanding.of(today.signedIn.actor, patient: patient) {
      conversation = ChatRoutes.address(of: Conversation.id(patient: patient, member: account))
    }
  }

  /// Sorts by need; people without open doses keep their order.
  private static func sorted(_ members: [HouseholdMember]) -> [HouseholdMember] {
    func rank(_ member: HouseholdMember) -> (Int, Int64) {
      guard let first = member.open.first else { return (2, 0) }
      return (member.isOverdue ? 0 : 1, first.due.milliseconds)
    }
    return members.enumerated().sorted { left, right in
      let (one, other) = (rank(left.element), rank(right.element))
      return one == other ? left.offset < right.offset : one < other
    }.map(\.element)
  }
}
