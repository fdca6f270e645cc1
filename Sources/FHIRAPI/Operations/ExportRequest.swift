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
  /// The time at or after which resources changed, as it was sent; nil for any time.
  let since: String?
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
    since = try arguments.date("_since", prefix: .ge) == nil ? nil : arguments.text("_since")
    address = "\(call.baseURL)\(call.request.uri.string)"
  }

  /// Returns true if resources of a type are wanted.
  func includes(_ type: FHIRType) -> Bool { types?.contains(type) ?? true }

  /// The conditions for all resources.
  var criteria: [SearchCriterion] {
    let date = since.flatMap { DateSearchValue(DateSearchValue.Prefix.ge.rawValue + $0) }
    return date.map { [SearchCriterion(parameter: "_lastUpdated", test: .lastUpdated([$0]))] } ?? []
  }
}

extension ExportRequest {
  /// The form in which it is stored.
  var json: JSONValue {
    var json: JSONValue = ["address": .string(address)]
    switch level {
    case .system: json["level"] = "system"
    case .patients: json["level"] = "patients"
    case .group(let id): json["group"] = .string(id)
    }
    json["types"] = types.map { types in
      .array(types.map(\.rawValue).sorted().map { .string($0) })
    }
    json["since"] = since.map { .string($0) }
    return json
  }

  /// Reads the stored form; nil if it is damaged.
  init?(json: JSONValue) {
    guard let address = json["address"]?.string else { return nil }
    self.address = address
    if let group = json["group"]?.string {
      level = .group(group)
    } else {
      guard let name = json["level"]?.string else { return nil }
      level = name == "system" ? .system : .patients
    }
    types = json["types"]?.array.map { names in
      Set(names.compactMap { $0.string.flatMap(FHIRType.init(rawValue:)) })
    }
    since = json["since"]?.string
  }
}
