// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Storage

/// Adds and changes a person's devices; the caller has decided that the account may.
package struct HomeDeviceCommands: Sendable {
  /// The name of devices in access decisions and in the audit trail.
  package static let resource = "HomeDevice"

  /// The person whose devices are changed.
  package let patient: PatientID
  /// The account that changes them.
  package let account: AccountID
  /// The current time.
  package let now: Timestamp
  /// The actor who writes the FHIR Device; nil to write none.
  private let actor: Actor?

  /// Creates the commands of an account on the devices of a person.
  ///
  /// - Parameter actor: The actor of the account, who writes the FHIR Device too; nil to write none.
  package init(patient: PatientID, account: AccountID, now: Timestamp, actor: Actor? = nil) {
    self.patient = patient
    self.account = account
    self.now = now
    self.actor = actor
  }

  /// Adds a device.
  ///
  /// - Parameters:
  ///   - token: Its token, which the caller shows once.
  ///   - byName: The name that is kept with its answers.
  /// - Throws: ``HomeDeviceError`` for a name or compartments that are not accepted.
  @discardableResult
  package func add(
    _ kind: HomeDevice.Kind, name: String, byName: String,
    compartments: [HomeDeviceCompartment], id: HomeDeviceID, token: Secret,
    in writer: any SQLWriter
  ) throws -> HomeDevice {
    try Self.check(name)
    guard try HomeDeviceQueries.count(of: patient, in: writer) < HomeDevice.most else {
      throw HomeDeviceError.tooMany(maximum: HomeDevice.most)
    }
    let device = HomeDevice(
      patient: patient, id: id, kind: kind, name: name, byName: byName, account: account,
      tokenDigest: token.digest, at: now)
    try HomeDeviceStore.insert(device, in: writer)
    try put(compartments, of: id, in: writer)
    if let actor { try HomeDeviceResource.create(device, by: actor, at: now, in: writer) }
    audit(.create, id, in: writer)
    return device
  }

  /// Renames a device and replaces the meanings of its compartments.
  package func change(
    _ id: HomeDeviceID, name: String, byName: String, compartments: [HomeDeviceCompartment],
    in writer: any SQLWriter
  ) throws {
    try Self.check(name)
    guard
      try HomeDeviceStore.rename(id, of: patient, to: name, byName: byName, in: writer)
    else { throw HomeDeviceError.notFound }
    try put(compartments, of: id, in: writer)
    try describe(id, in: writer)
    audit(.update, id, in: writer)
  }

  /// Ends the token of a device, so that it can no longer report; what it reported stays.
  package func revoke(_ id: HomeDeviceID, in writer: any SQLWriter) throws {
    guard try HomeDeviceStore.revoke(id, of: patient, at: now, in: writer) else {
      guard try HomeDeviceQueries.device(id, patient: patient, in: writer) != nil else {
        throw HomeDeviceError.notFound
      }
      return
    }
    try describe(id, in: writer)
    audit(.update, id, in: writer)
  }

  /// Gives a device another token; the old one ends.
  ///
  /// It then reports in the name of this account.
  package func renew(_ id: HomeDeviceID, token: Secret, in writer: any SQLWriter) throws {
    guard
      try HomeDeviceStore.renew(
        id, of: patient, token: token.digest, account: account, in: writer)
    else { throw HomeDeviceError.notFound }
    try describe(id, in: writer)
    audit(.update, id, in: writer)
  }

  /// Removes a device with everything that it reported; its answers stay.
  package func remove(_ id: HomeDeviceID, in writer: any SQLWriter) throws {
    // The resource stays, since administrations name it.
    try describe(id, isRemoved: true, in: writer)
    guard try HomeDeviceStore.delete(id, of: patient, in: writer) else {
      throw HomeDeviceError.notFound
    }
    audit(.delete, id, in: writer)
  }

  // MARK: Steps

  /// Writes the name and the state of a device into its FHIR resource.
  private func describe(
    _ id: HomeDeviceID, isRemoved: Bool = false, in writer: any SQLWriter
  ) throws {
    guard let actor,
      let device = try HomeDeviceQueries.device(id, patient: patient, in: writer)
    else { return }
    try HomeDeviceResource.update(
      device, isActive: device.revoked == nil && !isRemoved, by: actor, at: now, in: writer)
  }

  private static func check(_ name: String) throws(HomeDeviceError) {
    guard !name.isEmpty, name.count <= HomeDevice.longestName, isPlain(name) else {
      throw .name(maximum: HomeDevice.longestName)
    }
  }

  private func put(
    _ compartments: [HomeDeviceCompartment], of id: HomeDeviceID, in writer: any SQLWriter
  ) throws {
    guard compartments.count <= HomeDeviceCompartment.most else {
      throw HomeDeviceError.tooManyCompartments(maximum: HomeDeviceCompartment.most)
    }
    let names = Set(compartments.map(\.name))
    guard names.count == compartments.count,
      names.allSatisfy({ $0.count <= HomeDeviceCompartment.longestName && Self.isPlain($0) })
    else { throw HomeDeviceError.compartment }
    for plan in Set(compartments.compactMap(\.plan)) {
      let known = try writer.first(
        "SELECT 1 FROM plans WHERE patient = $1 AND plan = $2", [.text(patient), .text(plan)])
      guard known != nil else { throw HomeDeviceError.medicine }
    }
    try HomeDeviceStore.set(compartments, of: id, patient: patient, in: writer)
  }

  private static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  private func audit(_ kind: AuditEntry.Kind, _ id: HomeDeviceID, in writer: any SQLWriter) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: patient, resource: Self.resource,
        resourceID: id.text, purpose: Purpose.care.rawValue))
  }
}
