// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Records
import Storage

/// The FHIR Device of a device in the home, whose id is that of the device.
enum HomeDeviceResource {
  static let type = "Device"

  /// The identifiers of devices in the home, also in the administrations that they record.
  private static let system = "urn:regimen:home-device"

  /// Creates the resource.
  static func create(
    _ device: HomeDevice, by actor: Actor, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    _ = try RecordStore().create(
      json(device, isActive: true), type: type, id: device.id.text,
      authorization: try authorization(.create, of: device, actor), at: now, in: writer)
  }

  /// Writes the current name and state; a device that was added without a resource gets none.
  static func update(
    _ device: HomeDevice, isActive: Bool, by actor: Actor, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    let records = RecordStore()
    let reading = try authorization(.read, of: device, actor)
    let current: StoredRecord
    do throws(RecordsError) {
      current = try records.read(type, device.id.text, authorization: reading, in: writer)
    } catch {
      guard error == .notFound || error == .gone else { throw error }
      return
    }
    _ = try records.update(
      json(device, isActive: isActive), type: type, id: device.id.text,
      ifVersion: current.version, replacing: current,
      authorization: try authorization(.update, of: device, actor), at: now, in: writer)
  }

  private static func authorization(
    _ action: Action, of device: HomeDevice, _ actor: Actor
  ) throws -> Authorization {
    let decision = decide(
      actor: actor, action: action, patient: device.patient, resource: type, purpose: .care)
    switch decision {
    case .allow(let authorization): return authorization
    case .deny(let reason): throw reason
    }
  }

  private static func json(_ device: HomeDevice, isActive: Bool) -> JSONValue {
    [
      "resourceType": .string(type),
      "identifier": [["system": .string(system), "value": .string(device.id.text)]],
      "status": isActive ? "active" : "inactive",
      "deviceName": [["name": .string(device.name), "type": "user-friendly-name"]],
      "type": ["text": .string(device.kind.rawValue)],
      "patient": ["reference": .string("Patient/\(device.patient)")],
    ]
  }
}
