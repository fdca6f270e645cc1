// SPDX-License-Identifier: Apache-2.0

import CMosquitto

/// A reason why a message was not published.
package enum MQTTError: Error, Sendable, Hashable {
  /// There is no connection to the broker.
  case notConnected
  /// Too many messages wait for the broker's acknowledgement.
  case full
  /// The topic or the payload is not possible in MQTT.
  case invalid
}

/// A reason why there is no connection to the broker.
package enum MQTTTrouble: String, Sendable, Hashable, CaseIterable {
  /// No broker answers at the address.
  case unreachable
  /// The secure connection could not be set up: the certificate is not trusted, or the port does not use TLS.
  case insecure = "tls"
  /// The broker does not accept the user, the password or the certificate.
  case credentials
  /// The broker does not accept the client's name or the version of the protocol.
  case refused
  /// The broker says that it cannot serve now.
  case unavailable
  /// The connection broke.
  case lost
  /// The certificate files cannot be used.
  case settings

  /// Returns the meaning of the broker's answer to a connection (CONNACK); nil if it was accepted.
  package static func answer(_ code: Int32) -> MQTTTrouble? {
    switch code {
    case 0: nil
    case 3: .unavailable
    case 4, 5: .credentials
    default: .refused
    }
  }

  /// Returns the meaning of a result of the library.
  ///
  /// - Parameters:
  ///   - isSecure: True if the connection uses TLS.
  ///   - wasConnected: True if the broker had accepted the connection.
  package static func result(
    _ code: Int32, isSecure: Bool, wasConnected: Bool
  ) -> MQTTTrouble {
    switch code {
    case MQTTResult.tls, MQTTResult.handshake, MQTTResult.revoked: return .insecure
    case MQTTResult.authentication, MQTTResult.denied: return .credentials
    case MQTTResult.invalid: return .settings
    default: break
    }
    if wasConnected { return .lost }
    // A broken handshake ends the connection before the broker answers.
    return isSecure && code == MQTTResult.lost ? .insecure : .unreachable
  }
}

/// The results of the library that are told apart.
enum MQTTResult {
  static let success = Int32(MOSQ_ERR_SUCCESS.rawValue)
  static let invalid = Int32(MOSQ_ERR_INVAL.rawValue)
  static let notConnected = Int32(MOSQ_ERR_NO_CONN.rawValue)
  static let lost = Int32(MOSQ_ERR_CONN_LOST.rawValue)
  static let tls = Int32(MOSQ_ERR_TLS.rawValue)
  static let handshake = Int32(MOSQ_ERR_TLS_HANDSHAKE.rawValue)
  static let revoked = Int32(MOSQ_ERR_OCSP.rawValue)
  static let authentication = Int32(MOSQ_ERR_AUTH.rawValue)
  static let denied = Int32(MOSQ_ERR_ACL_DENIED.rawValue)
}
