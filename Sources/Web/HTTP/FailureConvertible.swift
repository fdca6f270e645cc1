// SPDX-License-Identifier: Apache-2.0

/// An error that has an answer for the client.
///
/// Each feature conforms the errors of its own commands; ``Failure/init(mapping:)`` asks them.
package protocol FailureConvertible: Error {
  /// The failure in the form of all surfaces.
  var failure: Failure { get }
}
