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

  @Option(help: "The address to listen on. Default: 127.0.0.1, with --home 0.0.0.0.")
  var host: String?
  @Option(help: "The port to listen on; 0 takes a free one. Default: 8080, with --home 8443.")
  var port: Int?
  @Option(help: "The data folder. Default: ./var.")
  var data: String?
  @Option(
    help: """
      A PostgreSQL database instead of a file in the data folder, such as \
      postgresql://regimen@db.example.org/regimen; several servers may use it at once.
      """)
  var database: String?
  @Option(help: "The address that browsers use, for example https://medicines.example.org.")
  var publicURL: String?
  @Flag(help: "Serve https to this home, with certificates made here.")
  var home = false
  @Option(help: "Addresses of the https proxies in front, such as 10.0.0.2,10.1.0.0/16.")
  var behindProxy: String?
  @OptionGroup(title: "Backups") var backups: BackupOptions
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
    } catch let error as HomeError {
      throw CommandFailure(description: error.description)
    }
  }

  private func serve(_ options: ServeOptions, logger: Logger) async throws {
    let composition = try await Composition.open(
      data: options.data, database: options.database, settings: options.settings,
      reminders: options.reminders, providers: options.providers,
      clockOffset: options.clockOffset, logger: logger)
    var environment = composition.environment
    if options.home {
      environment.home = try HomeCertificates(
        folder: composition.folder.path, publicHost: options.publicHost,
        machine: HomeMachine.current, now: environment.now, random: Composition.random)
    }
    let services = RegimenServer(environment: environment).services(
      host: options.host, port: options.port, controlSocket: composition.folder.controlSocketPath
    ) { [environment] port in
      Announcement(host: options.host, port: port, environment: environment).make(logger: logger)
    }
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // A client that does not read must not keep the program from stopping.
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    try await ServiceGroup(configuration: configuration).run()
    await composition.close()
    logger.info("stopped")
  }
}
