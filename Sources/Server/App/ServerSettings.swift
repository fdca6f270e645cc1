// SPDX-License-Identifier: Apache-2.0

import Localization

/// How this server is reached and what it assumes; fixed at start.
package struct ServerSettings: Sendable {
  /// The address that browsers and FHIR clients use, without a slash at the end.
  ///
  /// Nil until the listening address is known: then the Host of each request stands in for it.
  package var publicURL: String?
  /// The zone of patients who have not said where they live (IANA name).
  package var homeZone: String
  /// Addresses of proxies whose `X-Forwarded-Proto` is believed.
  package var trustedProxies: [String]
  /// Largest request body, in bytes.
  package var maximumBody = 2 * 1024 * 1024
  /// Longest address with its query, in bytes.
  package var maximumAddress = 8 * 1024
  /// Seconds that a request may take to send its whole body.
  package var bodyDeadlineSeconds = 30

  package init(publicURL: String?, homeZone: String, trustedProxies: [String]) {
    self.publicURL = publicURL
    self.homeZone = homeZone
    self.trustedProxies = trustedProxies
  }

  /// Whether the address that browsers use is https, so that cookies can be bound to it.
  package var isSecure: Bool { publicURL?.hasPrefix("https://") ?? false }
}
