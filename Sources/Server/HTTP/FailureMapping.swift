// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import FHIR
import HTTPTypes
import Hummingbird
import Media
import Records
import Storage

extension Failure {
  /// The one place where errors of the modules below become statuses.
  ///
  /// What is not known here is a defect of ours: 500 with the request's id; the log has the rest.
  package init?(mapping error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as JSONSyntaxError: self.init(error)
    case let error as DenialReason: self.init(error)
    case let error as PeopleQueryError: self.init(error)
    case let error as AccountError: self.init(error)
    case let error as GrantError: self.init(error)
    case let error as EmergencyError: self.init(error)
    case let error as RecordsError: self.init(error)
    case let error as PlanError: self.init(error)
    case let error as ReminderError: self.init(error)
    case let error as StorageError: self.init(error)
    case let error as ImportError: self.init(error)
    case let error as BackupError: self.init(error)
    case let error as ErasureObstacle: self.init(error)
    case let error as WatchError: self.init(watching: error)
    case let error as AlarmError: self.init(error)
    case let error as OccasionError: self.init(error)
    case let error as ChatError: self.init(error)
    case let error as LookError: self.init(error)
    case let error as PDFDrawing.Failure where error == .notInstalled:
      self.init(
        .serviceUnavailable, code: "unavailable",
        detail: """
          This server cannot make PDF files: libpango 1.50 and libcairo 1.16 are not installed.
          """)
    default: return nil
    }
  }

  private init(_ error: JSONSyntaxError) {
    self.init(
      error.isTooLarge ? .contentTooLarge : .badRequest, code: "structure",
      detail: "The body is not valid JSON: \(error)")
  }

  private init(_ error: ImportError) {
    let inner: any Error =
      switch error {
      case .notFound: Failure.notFound
      case .decided(let state):
        Failure(
          .conflict, code: "decided", detail: "This was decided before, in another way.",
          members: ["state": .string(state.rawValue)])
      case .problem(let reason):
        Failure.unprocessable("value", "The entry was refused: \(reason.code).")
      case .plan(let error): error
      case .answer(.storage(let error)), .storage(let error): error
      case .answer(.records(let error)): error
      case .answer(.notFound): Failure.notFound
      case .answer:
        Failure.unprocessable("value", "An administration of the file was refused.")
      }
    self =
      Failure(mapping: inner)
      ?? Failure(.internalServerError, code: "exception", detail: "Nothing was saved; try again.")
  }

  private init(_ error: BackupError) {
    switch error {
    case .diskFull:
      self.init(HTTPResponse.Status(code: 507), code: "no-store", detail: error.description)
    default: self = .unprocessable("backup", error.description)
    }
  }

  private init(_ reason: DenialReason) {
    self =
      reason.concealsExistence
      ? .notFound
      : Failure(.forbidden, code: "forbidden", detail: "Your access does not include this.")
  }

  /// Pages say in words what is refused; what is left is as if it were not there.
  private init(_ error: GrantError) {
    switch error {
    case .notFound, .codeRefused: self = .notFound
    default: self.init(.conflict, code: "conflict", detail: "This cannot be shared so.")
    }
  }

  private init(_ error: EmergencyError) {
    self =
      error == .notFound
      ? Failure(.notFound, code: "not-found", detail: "This account is no practitioner's.")
      : Failure(.conflict, code: "conflict", detail: "This cannot be opened or confirmed so.")
  }

  private init(_ error: AccountError) {
    switch error {
    case .signInOutdated:
      self.init(
        .unauthorized, code: "login", detail: "The sign-in took too long. Begin again.")
    case .passkeyRefused(let fault):
      self.init(
        .unauthorized, code: "login", detail: "The passkey was refused: \(fault.rawValue).")
    case .passkeyNameTooLong(let maximum):
      self = .unprocessable("value", "The name is longer than \(maximum) characters.")
    case .tooManyPasskeys(let maximum):
      self.init(.conflict, code: "conflict", detail: "An account has \(maximum) passkeys at most.")
    case .tokenLifetime(let maximum):
      self = .unprocessable("value", "A token is good for 1 to \(maximum) days.")
    case .signInRefused:
      self.init(
        .unauthorized, code: "login", detail: "The e-mail address or the password is wrong.")
    case .tooManyAttempts(let seconds):
      self.init(
        .tooManyRequests, code: "throttled", detail: "Too many attempts. Try again later.",
        headers: [.retryAfter: String(seconds)])
    case .busy:
      self.init(
        .tooManyRequests, code: "throttled", detail: "Many people are signing in. Try again.",
        headers: [.retryAfter: "5"])
    case .emailTaken:
      self.init(
        .conflict, code: "conflict", detail: "This address or number has an account already.")
    case .unknownAccount:
      self.init(.notFound, code: "not-found", detail: "No account has this e-mail address.")
    case .unknownScope(let scope):
      let known = TokenScope.allCases.map(\.rawValue).joined(separator: ", ")
      self = .unprocessable("value", "Unknown scope \(scope). Known are: \(known).")
    case .invitationUnknown: self = .notFound
    case .phoneMalformed:
      self = .unprocessable(
        "value", "A phone number begins with + and the country and has 7 to 15 digits.")
    case .emailMissing: self = .unprocessable("required", "An e-mail address is needed.")
    case .emailMalformed: self = .unprocessable("value", "This is not an e-mail address.")
    case .nameMissing: self = .unprocessable("required", "A name is needed.")
    case .nameTooLong(let maximum):
      self = .unprocessable("value", "The name is longer than \(maximum) characters.")
    case .passwordTooShort(let minimum):
      self = .unprocessable("value", "The password needs at least \(minimum) characters.")
    case .passwordTooLong(let maximum):
      self = .unprocessable("value", "The password is longer than \(maximum) characters.")
    case .passwordCommon:
      self = .unprocessable("value", "This password is too easy to guess.")
    case .passwordContainsContext:
      self = .unprocessable("value", "The password is little more than a name: add to it.")
    }
  }

  init(_ error: RecordsError) {
    switch error {
    case .notFound, .notAuthorized: self = .notFound
    case .gone: self.init(.gone, code: "deleted", detail: "This resource was deleted.")
    case .versionConflict(let current):
      self.init(
        .preconditionFailed, code: "conflict",
        detail: "The resource has changed: its version is now \(current). Read it again.")
    case .idTaken:
      self.init(.conflict, code: "duplicate", detail: "This id is already in use.")
    case .invalid(let issues):
      self.init(
        .unprocessableContent, code: "invalid", detail: Self.summary(of: issues), issues: issues)
    case .storage(let error): self.init(error)
    }
  }

  private init(_ error: PlanError) {
    switch error {
    case .notFound, .notAuthorized, .foreignSubject: self = .notFound
    case .invalid(let issues):
      let fields = issues.map { "\($0.field.rawValue): \($0.reason.rawValue)" }
      self = .unprocessable("invalid", fields.joined(separator: "; "))
    case .invalidResource(let issues):
      self.init(
        .unprocessableContent, code: "invalid", detail: Self.summary(of: issues), issues: issues)
    case .versionConflict(let current):
      self.init(
        .preconditionFailed, code: "conflict",
        detail: "The resource has changed: its version is now \(current). Read it again.")
    case .tooOften(let breach):
      self.init(
        .unprocessableContent, code: "business-rule", detail: breach.issue.diagnostics,
        issues: [breach.issue])
    case .unusualAmounts(let found):
      let issues = found.map { $0.issue(.error) }
      self.init(
        .unprocessableContent, code: "business-rule", detail: Self.summary(of: issues),
        issues: issues)
    case .tooManyDoses:
      self = .unprocessable(
        "too-costly",
        "There are more than \(DoseListing.most) doses in this time. Ask for a shorter one.")
    case .zone:
      self = .unprocessable("value", "The time zone is not known on this server.")
    case .unreadableRecord:
      self.init(
        .internalServerError, code: "exception", detail: "A stored resource cannot be read.")
    case .reasonMissing: self = .unprocessable("required", "A reason is needed.")
    case .notMovable: self = .unprocessable("value", "This dose cannot be moved.")
    case .moveOutOfRange: self = .unprocessable("value", "The dose cannot be moved to this time.")
    case .alreadyStopped:
      self.init(.conflict, code: "stopped", detail: "This medicine was already stopped.")
    case .records(let error): self.init(error)
    case .storage(let error): self.init(error)
    }
  }

  private init(_ error: ReminderError) {
    switch error {
    case .notFound: self = .notFound
    case .storage(let error): self.init(error)
    }
  }

  private init(_ error: StorageError) {
    switch error {
    case .diskFull:
      self.init(
        HTTPResponse.Status(code: 507), code: "no-store",
        detail: "The disk is full: nothing was saved.")
    case .unavailable, .busy:
      self.init(
        .serviceUnavailable, code: "transient",
        detail: "The database does not answer: nothing was saved. Try again.",
        headers: [.retryAfter: "2"])
    case .corrupt:
      self.init(
        .serviceUnavailable, code: Self.damageCode,
        detail: """
          The database of this server is damaged: what it says may be incomplete, and nothing was saved. \
          Tell the person who runs the server to restore the last backup.
          """)
    case .outcomeUnknown:
      self.init(
        .serviceUnavailable, code: "transient",
        detail: """
          The database was lost while it saved. Look whether the change is there before you \
          repeat it; a repetition with the same key or event is safe.
          """,
        headers: [.retryAfter: "2"])
    case .constraint(.unique, _), .constraint(.foreignKey, _):
      self.init(
        .conflict, code: "conflict",
        detail: """
          This does not fit what is stored: something it needs was removed meanwhile, or it exists already. \
          Nothing was saved.
          """)
    case .constraint(.check, _), .constraint(.notNull, _), .constraint(.type, _):
      self = .unprocessable("value", "A value is missing or not allowed. Nothing was saved.")
    default:
      self.init(
        .internalServerError, code: "exception",
        detail: "Something went wrong here. Nothing was saved; try again.")
    }
  }

  /// The problem code of answers while the database is damaged.
  static let damageCode = "damaged"

  private static func summary(of issues: [FHIRIssue]) -> String {
    guard let first = issues.first(where: { $0.severity != .warning }) ?? issues.first else {
      return "The content breaks a rule."
    }
    return [first.expression, first.diagnostics].compactMap(\.self).joined(separator: ": ")
  }
}

extension JSONSyntaxError {
  fileprivate var isTooLarge: Bool {
    if case .tooLarge = reason { true } else { false }
  }
}
