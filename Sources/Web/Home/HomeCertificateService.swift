// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle

/// Checks every 30 seconds that the home's certificate still fits the machine and the date, and
/// renews it if not.
package struct HomeCertificateService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "home certificate"

  /// The certificates that are renewed.
  package let certificates: HomeCertificates
  /// The log for renewals, failures and the authority's last 90 days.
  package let logger: Logger

  /// Creates the service for the certificates of a running server.
  package init(certificates: HomeCertificates, logger: Logger) {
    self.certificates = certificates
    self.logger = logger
  }
  /// The number of checks between two warnings about the authority's last days: one per day.
  private let looksBetweenWarnings = 2 * 60 * 24
  private let warningDays: Int64 = 90

  /// Runs until the server shuts down.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      var look = 0
      while !Task.isCancelled {
        if look % looksBetweenWarnings == 0 { warn() }
        look &+= 1
        try? await Task.sleep(for: .seconds(30))
        renew()
      }
    }
  }

  private func renew() {
    do {
      guard try certificates.renew() else { return }
      logger.info("certificate renewed")
    } catch {
      logger.error(
        "certificate could not be renewed", metadata: ["type": .string("\(type(of: error))")])
    }
  }

  private func warn() {
    let days = certificates.daysLeft
    guard days < warningDays else { return }
    logger.warning("the home authority expires soon", metadata: ["days": .stringConvertible(days)])
  }
}
