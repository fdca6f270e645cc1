// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Records
import Storage
import Web

/// One request for versions: reads the parameters, finds the versions, and writes the Bundle.
struct HistoryEngine: Sendable {
  /// The resources whose versions are wanted.
  enum Scope: Sendable, Hashable {
    case resource(FHIRType, String)
    case type(FHIRType)
    case system
  }

  let scope: Scope
  let caller: FHIRCaller

  /// The types whose versions can be read together.
  static let types = FHIRType.allCases.filter(\.hasTypeHistory)

  /// The address of the history, without its parameters.
  var address: String {
    switch scope {
    case .resource(let type, let id): "\(caller.base)/\(type.rawValue)/\(id)/_history"
    case .type(let type): "\(caller.base)/\(type.rawValue)/_history"
    case .system: "\(caller.base)/_history"
    }
  }

  /// Reads the parameters; throws the failure 400 for one that is wrong or not supported.
  func request(_ query: String) throws -> HistoryRequest {
    if case .resource(_, let id) = scope { try ResourceReader.check(id) }
    return try HistoryRequest(query, caller, address: address)
  }

  /// Finds a page of versions.
  func page(_ request: HistoryRequest, in reader: any SQLReader) throws -> HistoryFinder.Page {
    let finder = HistoryFinder(caller: caller)
    switch scope {
    case .resource(let type, let id):
      return try finder.versions(of: type, id, request, in: reader)
    case .type(let type): return try finder.versions(of: [type], request, in: reader)
    case .system: return try finder.versions(of: Self.types, request, in: reader)
    }
  }

  /// Records the read of each type for each patient; shared resources belong to no one.
  func audit(_ page: HistoryFinder.Page) async throws {
    let environment = caller.environment
    if case .resource = scope {
      guard let authorization = page.authorization else { return }
      return try await environment.audit(
        authorization, count: page.total ?? page.versions.count, at: caller.now)
    }
    for (type, versions) in Dictionary(grouping: page.versions, by: \.type) {
      let patients = Set(versions.compactMap(\.patient))
      guard !patients.isEmpty, case .allow(let authorization) = caller.search(type) else {
        continue
      }
      try await environment.readAudit.note(
        authorization, patients: patients, count: versions.count, at: caller.now,
        in: environment.database)
    }
  }

  /// Returns the Bundle of a page.
  func bundle(_ request: HistoryRequest, _ page: HistoryFinder.Page) -> HistoryBundle {
    HistoryBundle(caller: caller, address: address, request: request, page: page)
  }
}
