// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Web

/// A role in the access matrix, with its rights.
enum MatrixRole: String, CaseIterable, Sendable {
  case stranger, wrongToken, otherSession, otherToken, patientScopeToken, administrator
  case owner, ownerSession, guardian, coGuardian, guardianToken, systemToken
  case familyAll, familyAllToken, familyMedicines, familyNothing, familyNothingToken
  case practitioner, practitionerNothing, endedGuardian, endedFamily, endedPractitioner
  case emergency, emergencyToken, endedEmergency
  /// The tokens of phones: the owner's, and another person's.
  case phoneToken, otherPhoneToken
  /// A read-only token of the owner.
  case readingToken
  /// The token of a device in the owner's home, which is no token anywhere but at its own address.
  case homeDevice
  /// The token of a researcher of a study in which the owner takes part: it opens the study's counts and files, which
  /// have no one's name, and nothing else.
  case researcher

  /// True for no particular person: every closed route stays closed.
  var isStranger: Bool { self == .stranger || self == .wrongToken || isApart }

  /// True for a token that is none anywhere but at its own addresses.
  private var isApart: Bool { self == .homeDevice || self == .researcher }

  /// True if it uses a valid bearer token.
  var isToken: Bool {
    switch self {
    case .otherToken, .patientScopeToken, .owner, .guardianToken, .systemToken, .familyAllToken,
      .familyNothingToken, .emergencyToken, .phoneToken, .otherPhoneToken:
      true
    default: false
    }
  }

  /// True if it may only send measurements.
  var isPhone: Bool { self == .phoneToken || self == .otherPhoneToken }

  /// True if it acts for the owner.
  var mayAct: Bool {
    switch self {
    case .owner, .ownerSession, .guardian, .coGuardian, .guardianToken, .systemToken: true
    default: false
    }
  }

  /// True if it may see the medicine.
  var maySee: Bool {
    switch self {
    case .familyAll, .familyAllToken, .familyMedicines, .practitioner, .emergency, .readingToken:
      true
    default: mayAct
    }
  }

  /// True if anything of the owner's is shared.
  var hasGrant: Bool { grant.map { !$0.hasEnded } ?? false }

  /// True if weights and heart rates are shared.
  var sharesHeartRate: Bool { grant.map { !$0.hasEnded && $0.right.shares(.heartRate) } ?? false }

  /// True if messages are shared.
  var sharesMessages: Bool { grant.map { !$0.hasEnded && $0.right.shares(.messages) } ?? false }

  /// True if the owner's data appears not to exist.
  var seesNothing: Bool { !maySee && !isStranger }

  /// The grant of the role for the owner's patient, and whether it has ended.
  private var grant: (right: PatientRight, hasEnded: Bool)? {
    switch self {
    case .guardian, .coGuardian, .guardianToken: (PatientRight(.guardian), false)
    case .familyAll, .familyAllToken: (PatientRight(.family), false)
    case .familyMedicines: (PatientRight(.family, categories: [.medicines]), false)
    case .familyNothing, .familyNothingToken:
      (PatientRight(.family, categories: [.messages, .stock, .heartRate, .adherence]), false)
    case .practitioner: (PatientRight(.practitioner), false)
    case .practitionerNothing: (PatientRight(.practitioner, categories: [.messages]), false)
    case .endedGuardian: (PatientRight(.guardian), true)
    case .endedFamily: (PatientRight(.family), true)
    case .endedPractitioner: (PatientRight(.practitioner), true)
    default: nil
    }
  }

  /// The credentials of a role.
  struct Knocker: Sendable {
    /// The browser; nil for a token or a stranger.
    let browser: Browser?
    let headers: HTTPFields
  }

  /// Gives the role to Bob, who has his own account, or to another account.
  func knocker(
    _ harness: ServerHarness, owner: Account, bob: Account, eve: Account
  ) async throws -> Knocker {
    try await MatrixPlan.takePart(harness, owner)
    switch self {
    case .emergency, .emergencyToken:
      try await harness.openEmergency("a-look", of: owner.patient, by: bob)
    case .endedEmergency:
      try await harness.openEmergency("a-look", of: owner.patient, by: bob)
      harness.clock.advance(milliseconds: EmergencyAccess.lifetime)
      harness.environment.heartbeat.beat(at: harness.clock.now)
      harness.environment.reminderHeartbeat.beat(at: harness.clock.now)
      harness.environment.sessions.forget()
    default: break
    }
    if let grant { try await give(grant, of: owner.patient, to: bob, harness) }
    if self == .coGuardian {
      try await give((PatientRight(.guardian), false), of: owner.patient, to: eve, harness)
    }
    func session(_ account: Account, chosen: PatientID?) async throws -> Knocker {
      var browser = try await harness.session(of: account)
      browser.person = chosen
      return Knocker(browser: browser, headers: browser.headers)
    }
    func token(_ account: Account, _ scope: TokenScope = .user) async throws -> Knocker {
      Knocker(browser: nil, headers: try await harness.token(of: account, scope: scope))
    }
    switch self {
    case .stranger: return Knocker(browser: nil, headers: [:])
    case .wrongToken:
      return Knocker(browser: nil, headers: [.authorization: "Bearer rgt_nonsense"])
    case .homeDevice:
      let secret = try await MatrixPlan.addHomeDevice(
        harness, of: owner, named: HomeDeviceID("reporting"))
      return Knocker(browser: nil, headers: [.authorization: "Bearer \(secret.text)"])
    case .researcher:
      let secret = try await MatrixPlan.addResearcher(harness)
      return Knocker(browser: nil, headers: [.authorization: "Bearer \(secret.text)"])
    case .otherSession: return try await session(bob, chosen: nil)
    case .administrator: return try await session(eve, chosen: nil)
    case .otherToken: return try await token(bob)
    case .patientScopeToken: return try await token(bob, .patient)
    case .owner: return try await token(owner)
    case .ownerSession: return try await session(owner, chosen: nil)
    case .phoneToken: return try await token(owner, .vitals)
    case .otherPhoneToken: return try await token(bob, .vitals)
    case .readingToken: return try await token(owner, .userReading)
    case .systemToken: return try await token(bob, .system)
    case .guardianToken, .familyAllToken, .familyNothingToken, .emergencyToken:
      return try await token(bob)
    // Accounts whose access has ended still have the choice in their browser.
    default: return try await session(bob, chosen: owner.patient)
    }
  }

  private func give(
    _ grant: (right: PatientRight, hasEnded: Bool), of patient: PatientID, to account: Account,
    _ harness: ServerHarness
  ) async throws {
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    try await harness.environment.database.write { writer in
      try accounts.grant(
        grant.right.relationship, of: patient, to: account.id,
        from: now.adding(milliseconds: -1000), categories: grant.right.categories,
        until: grant.hasEnded ? now : nil, in: writer)
    }
    harness.environment.sessions.forget()
  }
}
