// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle

/// Looks every half minute whether the home's certificate still fits the machine and the day.
struct HomeCertificateService: Service, CustomStringConvertible {
  let description = "home certificate"

  let certificates: HomeCertificates
  let logger: Logger
  /// The authority's last days are told with the first look and once a day.
  private let looksBetweenWarnings = 2 * 60 * 24
  private let warningDays: Int64 = 90

  func run() async throws {
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
