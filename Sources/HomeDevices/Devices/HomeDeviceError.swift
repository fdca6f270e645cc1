// SPDX-License-Identifier: Apache-2.0

import Storage

/// A reason why a device was not added or changed, or its report not accepted.
package enum HomeDeviceError: Error, Sendable, Hashable {
  /// The person has no such device.
  case notFound
  case name(maximum: Int)
  /// The person has as many devices as possible.
  case tooMany(maximum: Int)
  /// The name of a compartment is too long or has control characters, or it is listed twice.
  case compartment
  case tooManyCompartments(maximum: Int)
  /// The compartment's medicine is not one of the person's.
  case medicine
  /// The device sent more than a device can have to report; it may send the same again after the seconds.
  case flood(seconds: Int)
}
