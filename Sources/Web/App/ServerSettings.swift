// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization
import Storage

/// The addresses, limits and assumptions of this server, fixed at the start.
package struct ServerSettings: Sendable {
  /// The program's version, from the file VERSION.
  package static let version = EmbeddedVersion.number

  /// The address that browsers and FHIR clients use, without a slash at the end.
  ///
  /// If it is nil, each request's Host is used instead.
  package var publicURL: String?
  /// The time zone (IANA name) of patients who have not chosen one.
  package var homeZone: String
  /// The https proxies in front of the server; empty without any.
  package var trustedProxies: TrustedProxies
  /// The origins whose browser apps may call `/fhir` with a token; empty without any.
  package var crossOrigins = CrossOrigins()
  /// True if this server terminates TLS itself, so that every client connects over https.
  package var servesHTTPS = false
  /// True if administrators and practitioners must have a second factor.
  ///
  /// It is false if the server is reachable from this computer only.
  package var requiresSecondFactor = false
  /// True if the data is the invented data of the demonstration.
  package var isDemo = false
  /// The path of the data folder; nil if the data is in memory.
  package var dataFolder: String?
  /// The path of the folder for files that end with the server; used without a data folder.
  package var temporaryFolder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
  /// The path of the operator's own list of interactions; nil without one.
  package var interactionsFile: String?
  /// The places for anchors of the audit trail outside the data folder.
  package var auditOutside = AuditOutside()
  /// The place of the encryption keys; nil if the data is in memory.
  package var keyPlace: KeyPlace?
  /// The largest request body, in bytes.
  package var maximumBody = 2 * 1024 * 1024
  /// The largest file of prescriptions that a person may send, in bytes.
  package var maximumUpload = 50 * 1024 * 1024
  /// The longest address with its query, in bytes.
  package var maximumAddress = 8 * 1024
  /// The most connections at a time; further ones are refused.
  package var maximumConnections = enoughConnections
  /// A number of connections that is sufficient, whatever the system allows.
  package static let enoughConnections = 4096
  /// The most connections at a time from one network address; further ones are closed.
  package var maximumConnectionsOfAddress = 256
  /// The seconds in which a request must send its whole body.
  package var bodyDeadlineSeconds = 30

  /// The seconds between two comments on an event stream; each keeps it open, and the session is
  /// checked again.
  package var eventCommentSeconds = 15
  /// The seconds after which an event stream ends; the client then connects again and continues.
  package var eventStreamSeconds = 3600
  /// The settings of features, each under its type.
  package var features = FeatureValues()

  /// Creates settings with the standard limits.
  ///
  /// - Parameters:
  ///   - publicURL: The address that clients use, without a slash at the end; nil if it is not
  ///     known.
  ///   - homeZone: The IANA name of the time zone of patients who have not chosen one.
  package init(publicURL: String?, homeZone: String, trustedProxies: [NetworkRange]) {
    self.publicURL = publicURL
    self.homeZone = homeZone
    self.trustedProxies = TrustedProxies(trustedProxies)
  }

  /// True if browsers use an https address, so that cookies can be bound to it.
  package var isSecure: Bool { servesHTTPS || publicURL?.hasPrefix("https://") ?? false }
}
