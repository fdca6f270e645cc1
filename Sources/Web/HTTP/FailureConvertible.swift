// SPDX-License-Identifier: Apache-2.0

/// An error that a client may be told of: what its request gets instead of an answer.
///
/// Each feature says so of the errors of its own commands; ``Failure/init(mapping:)`` asks them.
package protocol FailureConvertible: Error {
  /// The failure in the form of all surfaces.
  var failure: Failure { get }
}
