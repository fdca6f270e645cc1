// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import ServiceLifecycle

/// Accepts connections; if that fails, the error explains why in plain words.
package struct ListeningService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "web"

  /// The service that accepts connections.
  package let base: any Service
  /// The host to listen on.
  package let host: String
  /// The port to listen on.
  package let port: Int

  /// Creates the service around the one that accepts connections.
  package init(base: any Service, host: String, port: Int) {
    self.base = base
    self.host = host
    self.port = port
  }

  /// Runs until the server shuts down; throws ``ListeningError`` if it cannot listen on the
  /// address.
  package func run() async throws {
    do {
      try await base.run()
    } catch {
      throw ListeningError(error, host: host, port: port) ?? error
    }
  }
}

/// An address that the server could not listen on.
package struct ListeningError: Error, CustomStringConvertible, Equatable {
  /// The reason, and what the operator can do.
  package let description: String

  /// Creates the error; nil for an error unrelated to the address.
  init?(_ error: any Error, host: String, port: Int) {
    if error is SocketAddressError {
      description = "The host \(host) is not known. Give an address of this machine with --host."
      return
    }
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      description = """
        Port \(port) on \(host) is in use by another program. Stop that program, or choose another \
        port with --port.
        """
    case EACCES, EPERM:
      description = """
        This user may not use port \(port) on \(host). Choose 1024 or higher with --port.
        """
    case EADDRNOTAVAIL:
      description = "\(host) is not an address of this machine. Choose another with --host."
    default: return nil
    }
  }
}
