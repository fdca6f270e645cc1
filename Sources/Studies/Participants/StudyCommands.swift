// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Localization
import People
import Storage

/// Changes to studies and to who takes part in them.
package struct StudyCommands: Sendable {
  /// The name of studies in access decisions and in the audit trail.
  package static let resource = "Study"
  /// The most characters of a signature.
  package static let longestName = 100

  private let accounts: AccountStore

  /// Creates the commands.
  package init(accounts: AccountStore) {
    self.accounts = accounts
  }

  /// The signature and the answers of a person who wants to join.
  package struct Request: Sendable, Hashable {
    /// The version of the consent that was read.
    package let version: Int
    /// The language in which it was read.
    package let language: Language
    /// The answers to the further conditions, by id.
    package let answers: [String: Bool]
    /// The answers to the questions about the consent, by id.
    package let understanding: [String: String]
    /// The name as it was typed.
    package let name: String

    /// Creates a request.
    package init(
      version: Int, language: Language, answers: [String: Bool], understanding: [String: String],
      name: String
    ) {
      self.version = version
      self.language = language
      self.answers = answers
      self.understanding = understanding
      self.name = name
    }
  }

  // MARK: The operator

  /// Loads a study, or a new version of one.
  ///
  /// - Parameter seed: 32 random bytes, kept only for a new study.
  /// - Throws: ``StudyError/version(loaded:)``, ``StudyError/allocationChanged`` or ``StudyError/closed``.
  package func load(
    _ file: StudyFile, seed: [UInt8], by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    let definition = file.definition
    if let row = try StudyQueries.study(definition.id, in: writer) {
      guard row.closed == nil else { throw StudyError.closed }
      guard definition.version > row.version else {
        throw StudyError.version(loaded: row.version)
      }
      let before = try StudyQueries.definition(
        of: row.study, version: row.version, in: writer)
      guard before.hasSameAllocation(as: definition) else { throw StudyError.allocationChanged }
      try StudyStore.set(version: definition.version, of: row.study, in: writer)
    } else {
      let kept = try StudySeed.of(
        definition.id, orKeep: seed, accounts: accounts, in: writer)
      try StudyStore.insert(
        StudyRow(
          study: definition.id, version: definition.version,
          commitment: StudyAllocation.commitment(to: kept.bytes), allocated: 0, loaded: now,
          closed: nil), in: writer)
    }
    try StudyStore.insert(
      version: definition.version, text: file.text, of: definition.id, at: now, in: writer)
    audit(.administration, definition.id, nil, account, now, in: writer)
  }

  /// Closes a study: no one joins any more.
  ///
  /// ``end(_:after:limit:_:in:)`` then takes back what its arms added.
  package func close(
    _ study: StudyID, by account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard try StudyStore.close(study, at: now, in: writer) else {
      throw try StudyQueries.study(study, in: writer) == nil
        ? StudyError.notFound : StudyError.closed
    }
    audit(.administration, study, nil, account, now, in: writer)
  }

  /// Takes back what the arms of a closed study added, for the participants after a pseudonym.
  ///
  /// - Returns: The last pseudonym of the page; nil once there are no more.
  package func end(
    _ study: StudyID, after pseudonym: StudyPseudonym, limit: Int, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws -> StudyPseudonym? {
    let page = try StudyQueries.page(of: study, after: pseudonym, limit: limit, in: writer)
    for participant in page where participant.withdrawn == nil {
      try takeBack(participant, context, in: writer)
    }
    return page.last?.pseudonym
  }

  /// Returns the order of the arms at the places that were used, with the seed, after the study was closed.
  ///
  /// - Throws: ``StudyError/open`` before that.
  package func allocation(
    of study: StudyID, by account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws -> (seed: [UInt8], order: [String]) {
    guard let row = try StudyQueries.study(study, in: writer) else { throw StudyError.notFound }
    guard row.closed != nil else { throw StudyError.open }
    let definition = try StudyQueries.definition(of: study, version: row.version, in: writer)
    let seed = try StudySeed.of(study, orKeep: [], accounts: accounts, in: writer)
    audit(.administration, study, nil, account, now, in: writer)
    return (
      seed.bytes, StudyAllocation(definition, seed: seed.bytes).order(row.allocated)
    )
  }

  /// Adds a researcher, whose token opens the export and the counts of one study.
  package func addResearcher(
    _ id: String, name: String, to study: StudyID, token: Secret, by account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard try StudyQueries.study(study, in: writer) != nil else { throw StudyError.notFound }
    try Self.check(name)
    try StudyStore.insert(
      StudyResearcher(
        study: study, researcher: id, name: name, tokenDigest: token.digest, created: now,
        revoked: nil), in: writer)
    audit(.administration, study, nil, account, now, in: writer)
  }

  /// Ends the token of a researcher.
  package func revokeResearcher(
    _ id: String, of study: StudyID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    guard try StudyStore.revoke(id, of: study, at: now, in: writer) else {
      throw StudyError.notFound
    }
    audit(.administration, study, nil, account, now, in: writer)
  }

  // MARK: The person

  /// Lets a person join: checks the conditions and the consent, allocates an arm and adds what it changes.
  ///
  /// The caller has asked for a new proof of identity.
  @discardableResult
  package func join(
    _ study: StudyID, _ patient: PatientID, _ request: Request, candidate: StudyCandidate,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws -> StudyParticipant {
    guard context.actor.kind == .session, context.actor.relationships[patient] == .self_ else {
      throw StudyError.notOneself
    }
    guard let row = try StudyQueries.study(study, in: writer) else { throw StudyError.notFound }
    guard row.closed == nil else { throw StudyError.closed }
    guard try StudyQueries.participant(patient, in: study, reader: writer) == nil else {
      throw StudyError.alreadyJoined
    }
    guard request.version == row.version else { throw StudyError.oldConsent }
    let definition = try StudyQueries.definition(of: study, version: row.version, in: writer)
    if let hindrance = definition.hindrance(
      candidate, language: request.language, answers: request.answers)
    {
      throw StudyError.notEligible(hindrance)
    }
    let mistakes = definition.consent.mistakes(in: request.understanding)
    guard mistakes.isEmpty else { throw StudyError.misunderstood(mistakes) }
    try Self.check(request.name)
    let participant = try allocate(row, definition, patient, context, in: writer)
    try StudyStore.insert(
      StudySignature(
        patient: patient, study: study, version: row.version, signed: context.now,
        language: request.language.rawValue, name: request.name,
        account: context.actor.accountID), in: writer)
    try StudyQuestionnaires.assign(
      definition, to: patient, in: request.language, context, in: writer)
    audit(.create, study, patient, context.actor.accountID, context.now, in: writer)
    return participant
  }

  /// Gives the next place of the order, and adds what its arm changes.
  private func allocate(
    _ row: StudyRow, _ definition: StudyDefinition, _ patient: PatientID,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws -> StudyParticipant {
    let seed = try StudySeed.of(row.study, orKeep: [], accounts: accounts, in: writer)
    // Counted before it is read, so that two people who join at the same time get different places.
    try StudyStore.allocate(row.study, in: writer)
    let place = (try StudyQueries.study(row.study, in: writer)?.allocated ?? 1) - 1
    let allocation = StudyAllocation(definition, seed: seed.bytes)
    guard let id = allocation.arm(at: place), let arm = definition.arm(id) else {
      throw StudyError.notFound
    }
    let settings = try StudySettings.add(
      arm.changes, to: patient, accounts: accounts, context, in: writer)
    let participant = StudyParticipant(
      patient: patient, study: row.study, pseudonym: context.newID(), arm: id,
      version: row.version, joined: context.now, withdrawn: nil, isErased: false,
      changes: settings.json)
    try StudyStore.insert(participant, in: writer)
    return participant
  }

  /// Ends the participation of a person at once.
  ///
  /// - Parameter erasing: True if nothing of the person may be exported any more, also of the time before.
  package func withdraw(
    _ patient: PatientID, from study: StudyID, erasing: Bool, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    guard let participant = try StudyQueries.participant(patient, in: study, reader: writer)
    else { throw StudyError.notFound }
    try StudyStore.withdraw(patient, from: study, erasing: erasing, at: context.now, in: writer)
    if participant.withdrawn == nil { try takeBack(participant, context, in: writer) }
    audit(
      erasing ? .delete : .update, study, patient, context.actor.accountID, context.now,
      in: writer)
  }

  // MARK: Steps

  private func takeBack(
    _ participant: StudyParticipant, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let settings = StudySettings(json: participant.changes)
    try settings.remove(from: participant.patient, context, in: writer)
    try StudyStore.set(
      changes: StudySettings().json, of: participant.patient, in: participant.study, in: writer)
    try StudyQuestionnaires.end(
      participant.study, for: participant.patient, context, in: writer)
  }

  private static func check(_ name: String) throws(StudyError) {
    let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard name.contains(where: { !$0.isWhitespace }), name.count <= longestName, isPlain else {
      throw .signature(maximum: longestName)
    }
  }

  private func audit(
    _ kind: AuditEntry.Kind, _ study: StudyID, _ patient: PatientID?, _ account: AccountID,
    _ now: Timestamp, in writer: any SQLWriter
  ) {
    let purpose = patient == nil ? Purpose.administration : .care
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: patient, resource: Self.resource,
        resourceID: study.text, purpose: purpose.rawValue))
  }
}

extension StudyDefinition {
  /// Returns true if another version allocates in the same way.
  func hasSameAllocation(as other: StudyDefinition) -> Bool {
    blocks == other.blocks && arms.map(\.id) == other.arms.map(\.id)
      && arms.map(\.weight) == other.arms.map(\.weight)
      && arms.map(\.changes) == other.arms.map(\.changes)
  }
}
