// SPDX-License-Identifier: Apache-2.0

import HomeDevices
import Identifiers
import Storage
import Web

extension ServerEnvironment {
  /// Takes a report of a device, by whichever way it came, and returns the result of each event; nil if there is no
  /// such device.
  ///
  /// - Parameter find: Finds the device in the transaction of the report, since it may have been revoked meanwhile.
  package func take(
    _ report: DeviceReport, at now: Timestamp,
    from find: @escaping @Sendable (any SQLReader) throws -> DeviceCaller?
  ) async throws -> [DeviceReports.Result]? {
    let environment = self
    let written = try await database.write {
      writer -> (patient: PatientID, results: [DeviceReports.Result])? in
      guard let caller = try find(writer) else { return nil }
      let context = caller.context(
        at: now, newIdentifier: environment.newIdentifier, zones: environment.zones,
        consequences: environment.consequences)
      let results = try DeviceReports(of: caller, context: context, in: writer).take(report)
      return (patient: caller.device.patient, results: results)
    }
    guard let taken = written else { return nil }
    if taken.results.contains(where: { $0.outcome == .asked || $0.warns }) {
      live.changed(taken.patient)
    }
    return taken.results
  }
}
