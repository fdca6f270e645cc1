// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Media
import People
import Records
import Storage

extension Failure {
  /// Converts an error to a failure; nil for an error that clients must not see.
  ///
  /// Features convert the errors of their own commands; the errors of the lower layers are
  /// converted here. Any other error is a defect: the client gets 500 with the request's
  /// identifier, and the rest goes to the log.
  package init?(mapping error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as any FailureConvertible: self = error.failure
    case let error as PDFDrawing.Failure where error == .notInstalled:
      self.init(
        .serviceUnavailable, code: "unavailable",
        detail: """
          This server cannot make PDF files. Install libpango 1.50 and libcairo 1.16 on it.
          """)
    default: return nil
    }
  }

  /// Returns the failure 412, for a change to a version that is no longer the current one.
  package static func versionConflict(_ current: Int64) -> Failure {
    Failure(
      .preconditionFailed, code: "conflict",
      detail:
        "The resource has changed to version \(current). Read it again, then send your change.")
  }

  /// The problem code of answers while the database is damaged.
  package static let damageCode = "damaged"

  /// Returns the first issue in words, preferably an error.
  package static func summary(of issues: [FHIRIssue]) -> String {
    guard let first = issues.first(where: { $0.severity != .warning }) ?? issues.first else {
      return "The content is not valid."
    }
    return [first.expression, first.diagnostics].compactMap(\.self).joined(separator: ": ")
  }
}

extension JSONSyntaxError: FailureConvertible {
  /// The failure of a body that cannot be read.
  package var failure: Failure {
    Failure(
      isTooLarge ? .contentTooLarge : .badRequest, code: "structure",
      detail: "The body is not valid JSON: \(self)")
  }

  private var isTooLarge: Bool {
    if case .tooLarge = reason { true } else { false }
  }
}

extension BackupError: FailureConvertible {
  /// The failure of a backup or a restore.
  package var failure: Failure {
    switch self {
    case .diskFull:
      Failure(HTTPResponse.Status(code: 507), code: "no-store", detail: description)
    default: .unprocessable("backup", description)
    }
  }
}

extension DenialReason: FailureConvertible {
  /// The failure of a denied access; strangers do not learn what exists.
  package var failure: Failure {
    concealsExistence
      ? .notFound
      : Failure(.forbidden, code: "forbidden", detail: "Your access does not include this.")
  }
}

extension RecordsError: FailureConvertible {
  /// The failure of a command on a record.
  package var failure: Failure {
    switch self {
    case .notFound, .notAuthorized: .notFound
    case .gone: Failure(.gone, code: "deleted", detail: "This resource was deleted.")
    case .versionConflict(let current): .versionConflict(current)
    case .idTaken:
      Failure(.conflict, code: "duplicate", detail: "This id is in use. Choose another.")
    case .invalid(let issues):
      Failure(
        .unprocessableContent, code: "invalid", detail: Failure.summary(of: issues),
        issues: issues)
    case .storage(let error): error.failure
    }
  }
}

extension PeopleQueryError: FailureConvertible {
  /// The failure of reading a person.
  package var failure: Failure {
    switch self {
    case .notFound, .notAuthorized: .notFound
    case .zone: .unprocessable("value", "This server does not know the time zone.")
    case .unreadableRecord:
      Failure(.internalServerError, code: "exception", detail: "A stored resource cannot be read.")
    case .records(let error): error.failure
    case .storage(let error): error.failure
    }
  }
}

extension StorageError: FailureConvertible {
  /// The failure of the database, worded for clients.
  package var failure: Failure {
    switch self {
    case .diskFull:
      Failure(
        HTTPResponse.Status(code: 507), code: "no-store",
        detail: "The server's disk is full. Nothing was saved.")
    case .unavailable, .busy:
      Failure(
        .serviceUnavailable, code: "transient",
        detail: "The database is not responding. Nothing was saved. Try again.",
        headers: [.retryAfter: "2"])
    case .corrupt:
      Failure(
        .serviceUnavailable, code: Failure.damageCode,
        detail: """
          This server's database is damaged. Answers may be incomplete, and nothing was saved. \
          Ask the person who runs the server to restore the last backup.
          """)
    case .outcomeUnknown:
      Failure(
        .serviceUnavailable, code: "transient",
        detail: """
          The database was lost while it saved. Look whether the change is there before you \
          repeat it; a repetition with the same key or event is safe.
          """,
        headers: [.retryAfter: "2"])
    case .constraint(.unique, _), .constraint(.foreignKey, _):
      Failure(
        .conflict, code: "conflict",
        detail: """
          This does not fit what is stored: something it needs was removed meanwhile, or it exists already. \
          Nothing was saved.
          """)
    case .constraint(.check, _), .constraint(.notNull, _), .constraint(.type, _):
      .unprocessable("value", "A value is missing or not allowed. Nothing was saved.")
    default:
      Failure(
        .internalServerError, code: "exception",
        detail: "Something went wrong on this server. Nothing was saved. Try again.")
    }
  }
}
