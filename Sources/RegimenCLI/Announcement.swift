// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Logging
import Media
import Web

/// The server's message on standard output once it listens: how to reach it, and how to trust it.
struct Announcement: Sendable {
  let host: String
  let port: Int
  let environment: ServerEnvironment

  func make(logger: Logger) {
    let scheme = environment.home == nil ? "http" : "https"
    logger.info("listening", metadata: ["address": "\(scheme)://\(bracketed(host)):\(port)"])
    let address = "\(scheme)://\(reachableHost):\(port)"
    environment.listening.set(address)
    let shown = environment.settings.publicURL ?? address
    var lines = ["Regimen is ready: \(shown)"]
    if let home = environment.home {
      lines += trust(home.authority, address: "\(shown)/trust")
    }
    if let code = environment.setupCode {
      lines.append("Setup code: \(code.text)")
    }
    if !StandardStream.output.write(lines.joined(separator: "\n") + "\n") {
      logger.warning("the start message could not be written to standard output")
    }
  }

  private func trust(_ authority: HomeAuthority, address: String) -> [String] {
    let lines = [
      "Open once on each phone and computer: \(address)",
      "Authority \(authority.name), SHA-256 fingerprint: \(authority.fingerprint)",
    ]
    // A log file or a service manager's journal can't show a QR code.
    guard isatty(STDOUT_FILENO) == 1, let code = QRCode(address) else { return lines }
    return lines + [code.terminalText]
  }

  /// The address for other devices if the server listens everywhere.
  private var reachableHost: String {
    guard let home = environment.home, ["0.0.0.0", "::"].contains(host) else {
      return bracketed(host)
    }
    return home.hostForOtherDevices
  }

  private func bracketed(_ host: String) -> String {
    host.contains(":") ? "[\(host)]" : host
  }
}
