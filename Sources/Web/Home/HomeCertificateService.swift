// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle

/// Looks every half minute whether the home's certificate still fits the machine and the day.
package struct HomeCertificateService: Service, CustomStringConvertible {
  package let description = "home certificate"

  package let certificates: HomeCertificates
  package let logger: Logger

  package init(certificates: HomeCertificates, logger: Logger) {
    self.certificates = certificates
    self.logger = logger
  }
  /// The authority's last days are told with the first look and once a day.
  private let looksBetweenWarnings = 2 * 60 * 24
  private let warningDays: Int64 = 90

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
      logger.info("certificate made anew")
    } catch {
      logger.error(
        "certificate could not be made anew", metadata: ["type": .string("\(type(of: error))")])
    }
  }

  private func warn() {
    let days = certificates.daysLeft
    guard days < warningDays else { return }
    logger.warning("the home authority ends soon", metadata: ["days": .stringConvertible(days)])
  }
}
