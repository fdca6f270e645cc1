// SPDX-License-Identifier: Apache-2.0

/// Why an address may not be used.
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

/// What can go wrong on the way to another server; holds no part of the address or the bodies.
package enum OutboundError: Error, Sendable, Hashable {
  /// The address may not be used; trying again does not help.
  case notAllowed(OutboundRefusal)
  /// The host's name could not be resolved.
  case resolution
  /// The host resolves to no address that may be spoken to.
  case privateAddress
  /// No whole answer came within the time limit.
  case timeout
  /// The connection could not be made, or broke.
  case connection
  /// The TLS handshake failed, the certificate included.
  case tls
  /// The host failed several times in a row and is left alone for a while.
  case circuitOpen(retryAfterSeconds: Int)
  /// The answer was longer than the request accepts.
  case responseTooLarge
  /// The client was shut down, or the calling task cancelled.
  case closed
}
