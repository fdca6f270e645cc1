// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import Foundation
import Logging
import Server
import ServiceLifecycle
import Storage
import UnixSignals

/// `regimen serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Runs the server.",
    discussion: """
      Each option may also be given as a variable (REGIMEN_PORT for --port) or in a JSON file \
      named by --config. An option goes before a variable, a variable before the file.
      """)

  @Option(help: "The address to listen on. Default: 127.0.0.1.")
  var host: String?
  @Option(help: "The port to listen on; 0 takes a free one. Default: 8080.")
  var port: Int?
  @Option(help: "The data folder. Default: ./var.")
  var data: String?
  @Option(help: "The address that browsers use, for example https://medicines.example.org.")
  var publicURL: String?
  @Option(help: "Addresses of the https proxies in front, separated by commas.")
  var behindProxy: String?
  @Option(help: "A JSON file with the same settings.")
  var config: String?

  func run() async throws {
    let options = try await ServeOptions.resolve(self)
    LoggingSystem.bootstrap { JSONLinesLogHandler(label: $0, level: options.logLevel) }
    var logger = Logger(label: "regimen")
    logger.logLevel = options.logLevel
    do {
      try await serve(options, logger: logger)
    } catch let error as StorageError {
      throw CommandFailure(description: error.description)
    }
  }

  private func serve(_ options: ServeOptions, logger: Logger) async throws {
    let composition = try await Composition.open(
      data: options.data, settings: options.settings, clockOffset: options.clockOffset,
      logger: logger)
    let environment = composition.environment
    let services = RegimenServer(environment: environment).services(
      host: options.host, port: options.port, controlSocket: composition.folder.controlSocketPath
    ) { port in
      announce(host: options.host, port: port, environment: environment, logger: logger)
    }
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // A client that does not read must not keep the program from stopping.
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    try await ServiceGroup(configuration: configuration).run()
    await environment.database.close()
    logger.info("stopped")
  }

  private func announce(
    host: String, port: Int, environment: ServerEnvironment, logger: Logger
  ) {
    let shown = host.contains(":") ? "[\(host)]" : host
    let address = "http://\(shown):\(port)"
    environment.listening.set(address)
    logger.info("listening", metadata: ["address": .string(address)])
    var lines = ["Regimen is ready: \(environment.settings.publicURL ?? address)"]
    if let code = environment.setupCode {
      lines.append("Setup code: \(code.text)")
    }
    FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
  }
}
