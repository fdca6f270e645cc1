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
  /// A header of the request is malformed, or is set by the client itself.
  case header
}

/// An error in a request to another server; it contains no part of the address or the bodies.
package enum OutboundError: Error, Sendable, Hashable {
  /// The address is not allowed; retrying does not help.
  case notAllowed(OutboundRefusal)
  /// The host's name could not be resolved.
  case resolution
  /// The host resolves to no allowed address.
  case privateAddress
  /// No complete response arrived within the time limit.
  case timeout
  /// The connection failed or was lost.
  case connection
  /// The TLS handshake failed, which includes the certificate check.
  case tls
  /// The host failed several times in a row and is not called for a while.
  case circuitOpen(retryAfterSeconds: Int)
  /// The response was longer than the request accepts.
  case responseTooLarge
  /// The client was shut down, or the calling task was cancelled.
  case closed
}
