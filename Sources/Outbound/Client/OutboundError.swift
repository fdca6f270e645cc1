// SPDX-License-Identifier: Apache-2.0

/// A reason why an address or a request is not allowed.
package enum OutboundRefusal: String, Error, Sendable, Hashable {
  case tooLong
  case malformed
  case scheme
  case userInformation
  case host
  case literalAddress
  case hostNotListed
  case port
  /// A header of the request is malformed, or one that the client itself sets.
  case header
}

/// An error on the way to another server; it holds no part of the address or the bodies.
package enum OutboundError: Error, Sendable, Hashable {
  /// The address is not allowed; trying again does not help.
  case notAllowed(OutboundRefusal)
  /// The host's name could not be resolved.
  case resolution
  /// The host resolves to no address that is allowed.
  case privateAddress
  /// No whole answer came within the time limit.
  case timeout
  /// The connection could not be made, or broke.
  case connection
  /// The TLS handshake failed, the certificate included.
  case tls
  /// The host failed several times in a row and is not called for a while.
  case circuitOpen(retryAfterSeconds: Int)
  /// The answer was longer than the request accepts.
  case responseTooLarge
  /// The client was shut down, or the calling task cancelled.
  case closed
}
