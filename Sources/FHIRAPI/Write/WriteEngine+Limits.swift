// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Identifiers
import Records
import Storage
import Web

/// The constraints of an app's scopes on what it writes: a resource must match them before and after the change.
///
/// The comparison with the current resource is a read, so an app whose right to change is constrained needs the right
/// to read too.
extension WriteEngine {
  /// Throws unless the current version of a resource, if there is one, may be changed.
  func requireCurrent(
    _ id: String, for action: Action, _ handler: any ResourceHandler
  ) throws {
    guard let filter = accessFilter(handler.type, action), filter.isLimited else { return }
    let current: CurrentResource
    do {
      current = try handler.current(id, for: action, write, in: writer)
    } catch {
      // The change itself finds out what follows from that.
      let status = Failure(mapping: error)?.status
      guard status == .notFound || status == .gone else { throw error }
      return
    }
    try require(current, id: id, of: handler.type, for: action)
  }

  /// Throws unless a current version may be read or changed; it does not exist for an app that may not read it.
  func require(
    _ current: CurrentResource, id: String, of type: ResourceType, for action: Action
  ) throws {
    func isAdmitted(for action: Action) -> Bool {
      guard let filter = accessFilter(type, action), filter.isLimited else { return true }
      guard let json = try? JSONValue(parsing: current.body) else { return false }
      return filter.admits(
        json, id: id, patient: current.patient, lastUpdated: current.lastUpdated)
    }
    guard !isAdmitted(for: action) else { return }
    guard isAdmitted(for: .read) else { throw Failure.notFound }
    throw DenialReason.scopeNotAllowed
  }

  /// Throws unless a resource may be as it was just written; the caller then undoes the change.
  ///
  /// A constrained right to create does not extend to a resource that was stored before under the same identifier.
  func require(_ written: WrittenResource, for action: Action) throws {
    let action: Action = written.created ? .create : action
    guard let filter = accessFilter(written.type, action), filter.isLimited else { return }
    guard action == .update || written.created, let json = try? JSONValue(parsing: written.body),
      filter.admits(
        json, id: written.id, patient: written.patient, lastUpdated: written.lastUpdated)
    else { throw DenialReason.scopeNotAllowed }
  }

  private func accessFilter(_ type: ResourceType, _ action: Action) -> AccessFilter? {
    FHIRType(rawValue: type.rawValue).map { AccessFilter($0, action, write.caller) }
  }
}
