// SPDX-License-Identifier: Apache-2.0

import Localization
import Storage

/// How this server is reached and what it assumes; fixed at start.
package struct ServerSettings: Sendable {
  /// The program's version.
  package static let version = "0.1.0"

  /// The address that browsers and FHIR clients use, without a slash at the end.
  ///
  /// Nil until the listening address is known: then the Host of each request stands in for it.
  package var publicURL: String?
  /// The zone of patients who have not said where they live (IANA name).
  package var homeZone: String
  /// The https proxies in front; empty when there are none.
  package var trustedProxies: TrustedProxies
  /// Whether this server ends TLS itself, so that every client comes by https.
  package var servesHTTPS = false
  /// Whether administrators and practitioners must have a second factor; not where nobody but this
  /// computer reaches the server.
  package var requiresSecondFactor = false
  /// Whether the data are those of the demonstration.
  package var isDemo = false
  /// The data folder's path; nil while the data are in memory.
  package var dataFolder: String?
  /// The operator's own list of interactions, where a setting names one.
  package var interactionsFile: String?
  /// The places for anchors of the audit trail outside the data folder.
  package var auditOutside = AuditOutside()
  /// Where the keys are; nil while the data are in memory.
  package var keyPlace: KeyPlace?
  /// Largest request body, in bytes.
  package var maximumBody = 2 * 1024 * 1024
  /// Largest file of prescriptions that a person sends, in bytes.
  package var maximumUpload = 50 * 1024 * 1024
  /// Longest address with its query, in bytes.
  package var maximumAddress = 8 * 1024
  /// The most connections at a time; further ones are refused.
  package var maximumConnections = enoughConnections
  /// A number of connections that is sufficient, whatever the system allows.
  package static let enoughConnections = 4096
  /// Most connections at a time of one network address; further ones are closed.
  package var maximumConnectionsOfAddress = 256
  /// Seconds that a request may take to send its whole body.
  package var bodyDeadlineSeconds = 30

  /// Seconds after which an event stream says that it is still there, and looks whether its session
  /// is.
  package var eventCommentSeconds = 15
  /// Seconds that one event stream lives; the client then connects again and goes on.
  package var eventStreamSeconds = 3600
  /// The settings of features, each under its type.
  package var features = FeatureValues()

  package init(publicURL: String?, homeZone: String, trustedProxies: [NetworkRange]) {
    self.publicURL = publicURL
    self.homeZone = homeZone
    self.trustedProxies = TrustedProxies(trustedProxies)
  }

  /// Whether the address that browsers use is https, so that cookies can be bound to it.
  package var isSecure: Bool { servesHTTPS || publicURL?.hasPrefix("https://") ?? false }
}
