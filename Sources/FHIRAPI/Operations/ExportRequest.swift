// SPDX-License-Identifier: Apache-2.0

import FHIR
import Hummingbird
import Web

/// The arguments of a bulk export.
struct ExportRequest: Sendable {
  /// The patients whose data is exported.
  enum Level: Sendable, Hashable {
    /// All patients, and the resources that belong to none.
    case system
    /// All patients whom the account reaches.
    case patients
    /// The members of a stored Group.
    case group(String)
  }

  let level: Level
  /// The types to export; nil for all.
  let types: Set<FHIRType>?
  /// The condition that resources changed at or after a time.
  let since: DateSearchValue?
  /// The address of the request, which the manifest repeats.
  let address: String

  private static let names: Set<String> = ["_type", "_since", "_outputFormat"]
  private static let formats: Set<String> = [
    "application/fhir+ndjson", "application/ndjson", "ndjson",
  ]

  init(_ level: Level, of call: Call) throws {
    let arguments = try OperationArguments(
      query: call.request.uri.query ?? "", taking: Self.names)
    // An unescaped "+" of the type arrives as a space.
    let format = try arguments.text("_outputFormat")?.replacing(" ", with: "+")
    guard format.map(Self.formats.contains) ?? true else {
      throw OperationFault.bad(
        "_outputFormat", .notSupported, "Exports are made as application/fhir+ndjson.")
    }
    self.level = level
    types = try EverythingRequest.types(arguments)
    since = try arguments.date("_since", prefix: .ge)
    address = "\(call.baseURL)\(call.request.uri.string)"
  }

  /// Returns true if resources of a type are wanted.
  func includes(_ type: FHIRType) -> Bool { types?.contains(type) ?? true }

  /// The conditions for all resources.
  var criteria: [SearchCriterion] {
    since.map { [SearchCriterion(parameter: "_lastUpdated", test: .lastUpdated([$0]))] } ?? []
  }
}
