// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Records
import Storage
import Web

/// The parameters of a request for versions.
struct HistoryRequest: Sendable {
  /// The earliest time of a version, in milliseconds since 1970; nil for any.
  private(set) var since: Int64?
  /// The time in which the versions were current; nil for any.
  private(set) var period: RecordHistoryPeriod?
  /// The size of a page.
  private(set) var count = 50
  /// The end of the previous page; nil for the first page.
  private(set) var after: RecordCursor?
  /// The applied parameters, for the links.
  private(set) var used: [(String, String)] = []

  private static let largestCount = 500

  /// True if only the number of versions is wanted.
  var isCountOnly: Bool { count == 0 }

  /// Reads a query.
  init(_ query: String, _ caller: FHIRCaller, address: String) throws {
    let headers = caller.headers
    let isLenient = headers[.prefer]?.contains("handling=lenient") ?? false
    for (name, value) in try FHIRQuery.pairs(query) {
      switch name {
      case "_count":
        guard let number = Int(value), number >= 0 else {
          throw Self.problem(.value, name, "_count must be a whole number of 0 or more.")
        }
        count = min(number, Self.largestCount)
      case "_since":
        guard let date = DateSearchValue(value), date.prefix == .eq else {
          throw Self.problem(.value, name, "_since must be a date or time.")
        }
        since = max(since ?? .min, date.lowerMilliseconds)
      case "_at": period = try Self.narrowed(period, to: value)
      case "_cursor":
        guard let place = Self.seal(caller, address).open(value) else {
          throw Self.problem(.value, name, "This page link is not valid. Search again.")
        }
        after = place
        continue
      case "_format": continue
      case "_pretty":
        guard value == "true" || value == "false" else {
          throw Self.problem(.value, name, "_pretty must be true or false.")
        }
        continue
      default:
        guard isLenient else {
          throw Self.problem(
            .notSupported, name, "The parameter \(name) is not supported. Leave it out.")
        }
        continue
      }
      used.append((name, value))
    }
  }

  /// Returns the part of a period that a value of `_at` covers; several values limit it from both sides.
  private static func narrowed(
    _ period: RecordHistoryPeriod?, to value: String
  ) throws -> RecordHistoryPeriod {
    guard let date = DateSearchValue(value), !date.instantBounds.isExcluded else {
      throw problem(
        .value, "_at", "_at must be a date or time, also after eq, ge, gt, le or lt.")
    }
    let (start, end) = (date.instantBounds.atLeast ?? .min, date.instantBounds.before ?? .max)
    let from = max(period?.from.milliseconds ?? .min, start)
    let to = min(period?.to.milliseconds ?? .max, end)
    guard from < to else {
      throw problem(.value, "_at", "The period of _at must begin before it ends.")
    }
    return RecordHistoryPeriod(
      from: Timestamp(milliseconds: from), to: Timestamp(milliseconds: to))
  }

  /// Returns the seal of the page links of an address.
  static func seal(_ caller: FHIRCaller, _ address: String) -> SearchCursor {
    SearchCursor(credential: caller.signedIn.credential, context: "\(address)|history")
  }

  private static func problem(
    _ code: FHIRIssueCode, _ parameter: String, _ diagnostics: String
  ) -> Failure {
    SearchProblem(code: code, expression: parameter, diagnostics: diagnostics).failure
  }
}

/// The place of a version among versions of several resources, the newest first.
struct HistoryPlace: Sendable, Hashable, Comparable {
  let lastUpdated: Int64
  let type: String
  let id: String
  let version: Int64

  init(_ resource: FoundResource) {
    lastUpdated = resource.lastUpdated.milliseconds
    type = resource.type.rawValue
    id = resource.id
    version = resource.version
  }

  /// Reads the place in a page link; nil if it is of another kind.
  init?(_ cursor: RecordCursor) {
    guard cursor.keys.count == 3, case .integer(let time) = cursor.keys[0],
      case .text(let type) = cursor.keys[1], case .integer(let version) = cursor.keys[2]
    else { return nil }
    lastUpdated = time
    self.type = type
    id = cursor.id
    self.version = version
  }

  /// The place for a page link.
  var cursor: RecordCursor {
    RecordCursor(
      keys: [.integer(lastUpdated), .text(type), .integer(version)], patient: PatientID(""), id: id)
  }

  static func < (left: HistoryPlace, right: HistoryPlace) -> Bool {
    (left.lastUpdated, left.type, left.id, left.version)
      < (right.lastUpdated, right.type, right.id, right.version)
  }
}
