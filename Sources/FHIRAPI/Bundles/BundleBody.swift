// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Web

/// Reads the bodies of batches and transactions.
enum BundleBody {
  /// Returns a Bundle with the bytes that it was sent as, on a route with its own allowance.
  static func read(_ call: Call) async throws -> (bytes: [UInt8], bundle: JSONValue) {
    let format = try FHIRBody.format(of: call)
    let collected = CollectedBytes()
    try await BodyReader.pieces(of: call) { await collected.append($0) }
    let bytes = await collected.bytes
    let bundle = try FHIRBody.resource(bytes, as: format, limits: BundleRoutes.limits)
    try WriteBody.check(bundle, .bundle)
    return (bytes, bundle)
  }

  private actor CollectedBytes {
    private(set) var bytes: [UInt8] = []

    func append(_ piece: ArraySlice<UInt8>) { bytes.append(contentsOf: piece) }
  }
}
