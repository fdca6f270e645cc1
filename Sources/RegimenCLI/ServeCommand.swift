// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import Foundation
import Logging
import Operations
import Server
import ServiceLifecycle
import Storage
import TimeZones
import UnixSignals
import Web

/// The command `regimen serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Runs the server.",
    discussion: """
      Each option can also be set as a variable (REGIMEN_PORT for --port) or in a JSON file \
      named by --config. Options override variables; variables override the file.
      """)

  @Option(help: "Address to listen on. Default: 127.0.0.1, with --home 0.0.0.0.")
  var host: String?
  @Option(help: "Port to listen on; 0 picks a free one. Default: 8080, with --home 8443.")
  var port: Int?
  @Option(help: "The data folder. Default: ./var.")
  var data: String?
  @Option(
    help: """
      A PostgreSQL database instead of a file in the data folder, such as \
      postgresql://regimen@db.example.org/regimen; several servers may use it at once.
      """)
  var database: String?
  @Option(help: "Address that browsers use, such as https://medicines.example.org.")
  var publicURL: String?
  @Flag(help: "Serve https at home, with certificates made here.")
  var home = false
  @Option(help: "Addresses of the https proxies in front, such as 10.0.0.2,10.1.0.0/16.")
  var behindProxy: String?
  @Option(
    help: """
      Who can create an account in the browser: open (everyone), invitation (people invited to a \
      person) or closed (no one). Default: invitation.
      """)
  var signUp: String?
  @Flag(help: "Serve the demonstration at a public address, although its passwords are public.")
  var demoOnPurpose = false
  @OptionGroup(title: "Backups") var backups: BackupOptions
  @Flag(help: "For one start: start an empty installation with the keys in the folder.")
  var new = false
  @Option(help: "A JSON file with the same settings.")
  var config: String?

  func run() async throws {
    StandardStream.ignoreSignals()
    var options = try await ServeOptions.resolve(self)
    options.settings.maximumConnections = try Self.connections(of: OpenFileLimit.raise())
    let level = options.logLevel
    LoggingSystem.bootstrap { JSONLinesLogHandler(label: $0, level: level) }
    var logger = Logger(label: "regimen")
    logger.logLevel = level
    do {
      try await serve(options, logger: logger)
    } catch let error as StorageError {
      throw CommandFailure(description: error.description)
    } catch let error as HomeError {
      throw CommandFailure(description: error.description)
    } catch let error as ListeningError {
      throw CommandFailure(description: error.description)
    }
  }

  /// Returns the number of connections allowed for the given limit of open files.
  private static func connections(of limit: Int) throws -> Int {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let most = ServerSettings.enoughConnections
    guard let budget = ConnectionBudget(limit: limit, cores: cores, most: most) else {
      throw CommandFailure(
        description: """
          This process may open only \(limit) files, which is too few. Allow \
          \(ConnectionBudget.least(cores: cores, most: most)) or more: ulimit -n, or LimitNOFILE= \
          of the service.
          """)
    }
    return budget.connections
  }

  private func serve(_ options: ServeOptions, logger: Logger) async throws {
    try StartClock.check(Composition.wallClock() + options.clockOffset * 1000)
    let composition = try await Composition.open(
      data: options.data, database: options.database, settings: options.settings,
      reminders: options.reminders, providers: options.providers,
      clockOffset: options.clockOffset, beginsAnew: new, logger: logger)
    do {
      try await serve(options, composition, logger: logger)
    } catch {
      await composition.close()
      throw error
    }
    await composition.close()
    logger.info("stopped")
  }

  private func serve(
    _ options: ServeOptions, _ composition: Composition, logger: Logger
  ) async throws {
    let home = options.settings.homeZone
    guard (try? composition.environment.zones.zone(home)) != nil else {
      throw CommandFailure(
        description: """
          This machine's time zone files do not contain its zone \(home). Install the package \
          tzdata, or name another zone with REGIMEN_ZONE.
          """)
    }
    var environment = composition.environment
    if options.home {
      environment = environment.with(
        home: try HomeCertificates(
          folder: composition.folder.path, publicHost: options.publicHost,
          machine: HomeMachine.current, now: environment.now, random: Composition.random))
    }
    let manager = ServiceManager(
      environment: ProcessInfo.processInfo.environment, process: getpid())
    let services = try RegimenServer(environment: environment).services(
      host: options.host, port: options.port, controlSocket: composition.folder.controlSocketPath
    ) { [environment] port in
      Announcement(host: options.host, port: port, environment: environment).make(logger: logger)
      manager?.tellReady()
    }
    let watchdog = WatchdogService(environment: environment, manager: manager)
    var configuration = ServiceGroupConfiguration(
      services: services + [AllocatorMemory(), watchdog],
      gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger)
    // A client that does not read must not keep the program from stopping.
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch is CancellationError {
      // The shutdown timed out while requests were incomplete: none of them was processed.
      logger.notice("requests in progress were cut off")
    }
  }
}
