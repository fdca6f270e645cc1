// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import People
import Storage
import TimeZones

/// The device behind a report, with the rights that it has now.
package struct DeviceCaller: Sendable {
  /// The device.
  package let device: HomeDevice
  /// The right to add its events.
  let authorization: Authorization

  /// Finds the device of a token with the current rights of the account that added it; nil if the token is unknown or
  /// was revoked.
  ///
  /// - Throws: ``DenialReason`` if the account may no longer act for the person.
  package static func find(
    _ token: Secret, accounts: AccountStore, at now: Timestamp, in reader: any SQLReader
  ) throws -> DeviceCaller? {
    guard let device = try HomeDeviceQueries.device(token: token, in: reader) else { return nil }
    return try caller(device, accounts: accounts, at: now, in: reader)
  }

  /// Finds the device at an address of a broker, as by its token; the caller has checked the signature.
  ///
  /// - Throws: ``DenialReason`` if the account may no longer act for the person.
  package static func find(
    signedAt address: DeviceAddress, accounts: AccountStore, at now: Timestamp,
    in reader: any SQLReader
  ) throws -> DeviceCaller? {
    guard let device = try HomeDeviceQueries.device(digest: address.digest, in: reader) else {
      return nil
    }
    return try caller(device, accounts: accounts, at: now, in: reader)
  }

  private static func caller(
    _ device: HomeDevice, accounts: AccountStore, at now: Timestamp, in reader: any SQLReader
  ) throws -> DeviceCaller {
    let rights = try accounts.rights(of: device.account, at: now, in: reader)
    let actor = Actor(
      accountID: device.account, kind: .token, rights: rights.filter { $0.key == device.patient },
      scope: .homeDevice)
    let decision = decide(
      actor: actor, action: .create, patient: device.patient, resource: resource, purpose: .care)
    switch decision {
    case .allow(let authorization):
      return DeviceCaller(device: device, authorization: authorization)
    case .deny(let reason): throw reason
    }
  }

  /// The name of events in access decisions and in the audit trail.
  package static let resource = "HomeDeviceEvent"

  /// Returns the context in which the device answers doses.
  package func context(
    at now: Timestamp, newIdentifier: @escaping @Sendable () -> String, zones: ZoneCatalog,
    consequences: Consequences
  ) -> CommandContext {
    CommandContext(
      actor: authorization.actor, byName: device.byName, now: now, newIdentifier: newIdentifier,
      zones: zones, consequences: consequences, device: device.id)
  }
}
