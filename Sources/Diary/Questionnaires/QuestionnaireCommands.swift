// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import Identifiers
import Localization
import People
import Records
import Scheduling
import Storage

/// The mistakes for which answers were not stored.
package struct QuestionnaireMistakes: Error, Sendable, Hashable {
  /// The mistake of each item, by its link.
  package let byLink: [String: QuestionnaireInput.Mistake]
}

/// Stores the answers to a questionnaire: a QuestionnaireResponse, and its score as an Observation.
package struct QuestionnaireCommands: Sendable {
  /// The resource type for which access to answers is decided and audited.
  package static let resource = "QuestionnaireResponse"

  /// The person who is asked.
  package let patient: PatientID
  /// The context of the commands.
  package let context: CommandContext

  /// Creates the commands.
  package init(patient: PatientID, context: CommandContext) {
    self.patient = patient
    self.context = context
  }

  /// Stores new answers, closes the occasions that they answer, and deletes the draft.
  ///
  /// - Parameters:
  ///   - event: The event of the form; sent again, it returns the response that it made.
  ///   - answered: The time at which a device kept the answers; nil for now. It decides which occasion they answer.
  /// - Returns: The id of the response.
  /// - Throws: ``QuestionnaireMistakes``, ``QuestionnaireError`` if everything is empty, or the time or the event is not
  ///   valid, `DenialReason` and ``RecordsError``.
  package func submit(
    _ input: QuestionnaireInput, to questionnaire: Questionnaire, in language: Language,
    event: FormEvent? = nil, answered: Timestamp? = nil, _ writer: any SQLWriter
  ) throws -> String {
    let authorization = try context.authorize(.create, Self.resource, of: patient)
    let answers = try checked(input, questionnaire)
    var id = context.newIdentifier()
    if let event {
      let derived = event.id(for: patient)
      switch try earlier(derived, answers, questionnaire, in: writer) {
      case nil: id = derived
      case true?: return derived
      default: guard event.isRenewable else { throw QuestionnaireError.eventUsed }
      }
    }
    let answered = answered ?? context.now
    guard
      answered.milliseconds <= context.now.milliseconds + Self.tolerance,
      answered.milliseconds >= context.now.milliseconds - Self.longestWait
    else { throw QuestionnaireError.time }
    _ = try RecordStore().create(
      QuestionnaireResponses.resource(
        questionnaire, answers, of: patient, in: language, at: answered, isAmended: false),
      type: Self.resource, id: id, authorization: authorization, at: context.now, in: writer)
    try putScore(questionnaire, answers, response: id, answered: answered, in: writer)
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
    let day = zone.date(at: Instant(milliseconds: answered.milliseconds))
    for due in try QuestionnaireAssignments.due(of: patient, on: day, in: writer)
    where due.assignment.questionnaire == questionnaire.url {
      _ = try QuestionnaireRows.answer(
        due.assignment.id, due.occasion.number, with: id, of: patient, at: answered,
        in: writer)
      try QuestionnaireReminders.cancel(
        due.occasion.number, of: due.assignment.id, patient: patient, context, in: writer)
      try QuestionnaireReminders.open(
        due.assignment, of: patient, besides: due.occasion.number, context, in: writer)
    }
    try QuestionnaireRows.deleteDraft(of: questionnaire.url, patient: patient, in: writer)
    return id
  }

  /// Stores corrected answers as a new version of a response.
  ///
  /// - Parameter ifVersion: The version that was corrected; nil to skip the check.
  package func correct(
    _ id: String, ifVersion: Int64?, _ input: QuestionnaireInput,
    to questionnaire: Questionnaire, in language: Language, _ writer: any SQLWriter
  ) throws {
    let authorization = try context.authorize(.update, Self.resource, of: patient)
    let before = try current(id, in: writer)
    guard QuestionnaireResponses.questionnaire(of: before) == questionnaire.url else {
      throw QuestionnaireError.notFound
    }
    let answers = try checked(input, questionnaire)
    var resource = QuestionnaireResponses.resource(
      questionnaire, answers, of: patient, in: language, at: context.now, isAmended: true)
    // The answers are still about the time at which they were first given.
    if let authored = before["authored"] { resource["authored"] = authored }
    _ = try RecordStore().update(
      resource, type: Self.resource, id: id, ifVersion: ifVersion, authorization: authorization,
      at: context.now, in: writer)
    let answered =
      before["authored"]?.string.flatMap { FHIRDateTime($0) }.map {
        Timestamp(milliseconds: $0.lowerMilliseconds)
      } ?? context.now
    try putScore(questionnaire, answers, response: id, answered: answered, in: writer)
  }

  /// Keeps answers that were not sent yet; a new draft replaces the one before.
  package func saveDraft(
    _ input: QuestionnaireInput, of questionnaire: Questionnaire, _ writer: any SQLWriter
  ) throws {
    _ = try context.authorize(.create, Self.resource, of: patient)
    let links = Set(questionnaire.allItems.map(\.link))
    var object = JSONObject()
    for (link, texts) in input.texts.sorted(by: { $0.key < $1.key }) where links.contains(link) {
      object[link] = .array(texts.prefix(100).map { .string(String($0.prefix(10_000))) })
    }
    try QuestionnaireRows.saveDraft(
      String(decoding: JSONValue.object(object).bytes, as: UTF8.self), of: questionnaire.url,
      patient: patient, at: context.now, in: writer)
  }

  // MARK: Parts

  /// The time by which a device's clock may be ahead, in milliseconds.
  private static let tolerance: Int64 = 120_000
  /// The longest time for which answers may wait on a device, in milliseconds: 31 days.
  private static let longestWait: Int64 = 31 * 24 * 3_600_000

  /// Returns true if a response has these answers, false if it has others or was deleted, nil if it never existed.
  private func earlier(
    _ id: String, _ answers: QuestionnaireAnswers, _ questionnaire: Questionnaire,
    in writer: any SQLWriter
  ) throws -> Bool? {
    guard try RecordStore().patient(of: Self.resource, id: id, in: writer) != nil else {
      return nil
    }
    guard let before = try? current(id, in: writer),
      QuestionnaireResponses.questionnaire(of: before) == questionnaire.url
    else { return false }
    let known = QuestionnaireEvaluator.counting(
      questionnaire, QuestionnaireResponses.answers(in: before))
    return known.mapValues { $0.map(\.text) } == answers.mapValues { $0.map(\.text) }
  }

  private func current(_ id: String, in writer: any SQLWriter) throws -> JSONValue {
    let authorization = try context.authorize(.read, Self.resource, of: patient)
    let store = RecordStore()
    guard try store.patient(of: Self.resource, id: id, in: writer) == patient else {
      throw QuestionnaireError.notFound
    }
    return try store.read(Self.resource, id, authorization: authorization, in: writer).json()
  }

  private func checked(
    _ input: QuestionnaireInput, _ questionnaire: Questionnaire
  ) throws -> QuestionnaireAnswers {
    let read = input.read(questionnaire)
    guard read.mistakes.isEmpty else { throw QuestionnaireMistakes(byLink: read.mistakes) }
    guard !read.answers.isEmpty else { throw QuestionnaireError.answers }
    return read.answers
  }

  /// Writes, changes or deletes the Observation of a score.
  ///
  /// An app that may not write Observations leaves none.
  private func putScore(
    _ questionnaire: Questionnaire, _ answers: QuestionnaireAnswers, response: String,
    answered: Timestamp, in writer: any SQLWriter
  ) throws {
    guard let rule = questionnaire.score else { return }
    let (type, id, store) = ("Observation", "score-\(response)", RecordStore())
    let isKnown = try store.patient(of: type, id: id, in: writer) == patient
    let score = rule.value(of: questionnaire, answers)
    let action: Access.Action = score == nil ? .delete : isKnown ? .update : .create
    let decision = decide(
      actor: context.actor, action: action, patient: patient, resource: type,
      purpose: context.purpose)
    guard case .allow(let authorization) = decision else { return }
    guard let score else {
      guard isKnown else { return }
      do throws(RecordsError) {
        _ = try store.delete(
          type, id, ifVersion: nil, authorization: authorization, at: context.now, in: writer)
      } catch {
        guard error == .gone else { throw error }
      }
      return
    }
    let resource = QuestionnaireResponses.observation(
      score, questionnaire, response: response, of: patient, at: answered)
    if isKnown {
      _ = try store.update(
        resource, type: type, id: id, ifVersion: nil, authorization: authorization,
        at: context.now, in: writer)
    } else {
      _ = try store.create(
        resource, type: type, id: id, authorization: authorization, at: context.now, in: writer)
    }
  }
}
