// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Exchange
import FHIR
import Foundation
import HTTPTypes
import Records
import Storage
import Testing

@testable import AccountPages
@testable import CareTeam
@testable import Diary
@testable import Dosing
@testable import HeartRate
@testable import HomeDevices
@testable import Observations
@testable import Operations
@testable import People
@testable import Plans
@testable import Prescriptions
@testable import Presentation
@testable import Reminders
@testable import Statistics
@testable import Studies
@testable import Supply
@testable import Web

/// Every error that a command throws becomes an answer that a client can act on.
@Suite struct CommandFailureTests {
  /// Some errors of each type that commands throw, except for defects, which are 500.
  private static let errors: [any Error] =
    belowTheDomain + ofTheDomain + ofFeatures + enumerated

  /// Storage, records and accounts.
  private static let belowTheDomain: [any Error] = [
    StorageError.diskFull, StorageError.busy, StorageError.corrupt(code: 11),
    StorageError.constraint(.unique, ""), StorageError.constraint(.check, ""),
    RecordsError.notFound, RecordsError.gone, RecordsError.versionConflict(current: 2),
    RecordsError.idTaken, RecordsError.notAuthorized, RecordsError.storage(.diskFull),
    BackupError.cut, BackupError.diskFull(path: "backup"),
    DenialReason.noRelationship, DenialReason.scopeNotAllowed,
    AccountError.signInRefused, AccountError.emailTaken, AccountError.unknownScope("all"),
    PeopleQueryError.notFound, PeopleQueryError.storage(.busy),
    GrantError.notFound, GrantError.oneself,
    IdentityError.notFound, IdentityError.lastWayIn,
    CDSClientError.issuer, CDSClientError.keys, CDSClientError.privateKey, CDSClientError.unknown,
    CDSTokenError.malformed, CDSTokenError.replayed,
    KeyProofError.scheme, KeyProofError.key, KeyProofError.replayed,
    AppError.unknown, AppError.name(maximum: 1), AppError.redirect("x"), AppError.scopes("x"),
    AppError.redirectCount(maximum: 1), AppError.address("x"), AppError.keys, AppError.account,
    OAuthFailure(.invalidRequest, "x"),
  ]

  /// Plans, answers, imports and reminders.
  private static let ofTheDomain: [any Error] = [
    PlanError.notFound, PlanError.invalid([DraftIssue(.name, .missing)]),
    PlanError.versionConflict(current: 2),
    PlanError.foreignSubject, PlanError.reasonMissing, PlanError.alreadyStopped,
    PlanError.tooManyDoses, PlanError.notMovable, PlanError.storage(.busy),
    AnswerError.notFound, AnswerError.notAuthorized, AnswerError.invalid(.missingMinutes),
    AnswerError.records(.idTaken), AnswerError.storage(.busy),
    ImportError.notFound, ImportError.decided(.declined), ImportError.problem(.conflict),
    ImportError.plan(.alreadyStopped), ImportError.answer(.notAuthorized),
    ImportError.storage(.busy), ImportProblemReason.conflict,
    ReminderError.notFound, ReminderError.storage(.busy),
    AlarmError.notFound, AlarmError.invalid([]), AlarmError.tooMany(maximum: 1),
    AlarmError.versionConflict(current: 2), AlarmError.storage(.busy),
    AlertError.notFound, AlertError.missingMinutes, AlertError.eventUsedElsewhere,
    AlertError.minutesOutOfRange(maximum: 0), AlertError.storage(.busy),
  ]

  /// Conversations, heart rate, appearance, supply, people and related features.
  private static let ofFeatures: [any Error] = [
    ChatError.notFound, ChatError.notAllowed, ChatError.ended, ChatError.empty,
    ChatError.tooLong(maximum: 1), ChatError.link, ChatError.event, ChatError.tooMany(seconds: 1),
    HeartRateError.setByProvider, HeartRateError.noProvider, HeartRateError.tooFewDays,
    HeartRateError.value,
    StudyError.notFound, StudyError.closed, StudyError.open, StudyError.version(loaded: 1),
    StudyError.allocationChanged, StudyError.alreadyJoined, StudyError.oldConsent,
    StudyError.notOneself, StudyError.notEligible(.age), StudyError.misunderstood(["a"]),
    StudyError.signature(maximum: 1),
    StudyFile.Refused(problems: [StudyProblem(path: "a", line: 1, rule: .consent, text: "b")]),
    HeartRateError.gap, HeartRateError.window, HeartRateError.budget, HeartRateError.plans,
    HeartRateError.notFound, HeartRateError.words,
    DispenseRemovalError.counted, DispenseRemovalError.elsewhere,
    AppearanceError.notFound, AppearanceError.place, AppearanceError.noRoom,
    AppearanceError.storage(.busy),
    AppearanceProblem(issues: [.unknown]),
    StockError.notFound, StockError.notAuthorized, StockError.invalid([.name]),
    StockError.tooMany, StockError.cannotUndo, StockError.storage(.busy),
    PeopleError.notFound, PeopleError.invalid([PatientDetailsIssue(.name, .missing)]),
    PeopleError.notAuthorized,
    PeopleError.versionConflict(current: 2), PeopleError.plans(.notFound),
    NudgeError.notAllowed, NudgeError.nothingOpen, NudgeError.tooMany(maximum: 2),
    IntakeError.outdated, IntakeError.nothing,
    EmergencyCardError.notFound, EmergencyCardError.tooMany(maximum: 1),
    DoseApprovalError.notAPractitioner, DoseApprovalError.changed,
    ReportLinks.Failure.notFound, ReportLinks.Failure.tooMany,
    QuestionnaireError.notFound, QuestionnaireError.unusable, QuestionnaireError.tooMany,
    QuestionnaireError.schedule, QuestionnaireError.closed, QuestionnaireError.answers,
    QuestionnaireError.changed, QuestionnaireError.time, QuestionnaireError.eventUsed,
    QuestionnaireMistakes(byLink: ["a": .missing]),
    HomeDeviceError.notFound, HomeDeviceError.name(maximum: 1),
    HomeDeviceError.tooMany(maximum: 1), HomeDeviceError.compartment,
    HomeDeviceError.tooManyCompartments(maximum: 1), HomeDeviceError.medicine,
    HomeDeviceError.flood(seconds: 1),
    FollowUpError.notFound, FollowUpError.closed, FollowUpError.minutes,
    SiteError.notFound, SiteError.site, SiteError.wear, SiteError.notWorn, SiteError.time,
    HospitalError.notFound, HospitalError.tooMany(maximum: 1), HospitalError.known,
    HospitalError.otherBirthDate,
    ErasureObstacle.onlyGuardian(1), ErasureObstacle.onlyAdministrator,
    ErasureObstacle.otherGuardian,
  ]

  /// Types whose errors are all listed.
  private static let enumerated: [any Error] =
    (EmergencyError.allCases as [any Error]) + (HealthProfileError.allCases as [any Error])
    + (DiaryError.allCases as [any Error])
    + (CareTeamError.allCases as [any Error]) + (IngredientLimitError.allCases as [any Error])

  /// Error types that no command throws: readers, forms, files, the network and the start of the
  /// program report them to their callers.
  private static let elsewhere: Set<String> = [
    "AnswerMistake", "DatabaseUpgradeError", "DetailsTrial", "DispenseError", "Failure",
    "HealthFileError", "HomeError",
    "HospitalTrouble", "IDTokenError",
    "EscalationProblem", "MedicineTrial",
    "ListeningError", "MQTTError", "MissingFeatureValues", "OutboundError", "OutboundRefusal",
    "PasskeyFault",
    "PhotoMistake", "PhotoProblem", "ProviderError", "SoundProblem", "VitalProblem",
    "AppTokenRefusal", "XMLProblem",
    "WebPushEncryptionError",
    "DeviceScriptError",
  ]

  @Test func `a command's error is not reported as a defect`() throws {
    for error in Self.errors {
      let failure = try #require(Failure(mapping: error), "\(type(of: error))")
      #expect(failure.status != .internalServerError, "\(type(of: error)).\(error)")
      #expect(!failure.code.isEmpty && !failure.detail.isEmpty)
    }
  }

  @Test func `every error type is listed`() throws {
    let listed = Set(Self.errors.map { "\(type(of: $0))" }).union(Self.elsewhere)
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var found: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /(?m)^package (?:enum|struct) (\w+): (?:\w+, )*Error\b/) {
        found.insert(String(match.1))
      }
    }
    #expect(found.count > 30)
    #expect(found.subtracting(listed).sorted() == [])
  }

  @Test func `a failure wrapped by a feature keeps its status`() {
    #expect(ImportError.plan(.storage(.diskFull)).failure.status.code == 507)
    #expect(AnswerError.storage(.diskFull).failure.status.code == 507)
    #expect(PeopleError.plans(.versionConflict(current: 2)).failure.status == .preconditionFailed)
    #expect(PlanError.unreadableRecord.failure.status == .internalServerError)
    #expect(StorageError.transactionLost.failure.status == .internalServerError)
  }
}
