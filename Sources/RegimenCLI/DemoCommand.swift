// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Identifiers
import Localization
import Logging
import Operations
import Storage
import Web

/// The command `regimen demo`.
struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Fills an empty data folder with a made-up family, a clinic and months of history.",
    discussion: """
      A folder with the demonstration is not changed. Every page served from it \
      says that it is a demonstration.
      """)

  @Option(help: "Language of the people and their texts: en, de, nb, th or tr.")
  var language = "en"
  @Option(help: "Seed: the same number gives the same history.")
  var seed: UInt64 = 2026
  @OptionGroup var data: DataOptions

  func validate() throws {
    guard Language(rawValue: language) != nil else {
      throw ValidationError("--language must be en, de, nb, th or tr.")
    }
  }

  func run() async throws {
    let marker = data.folder + "/" + ServeOptions.demoMarker
    if !FileManager.default.fileExists(atPath: marker) {
      do {
        try await furnish(marker: marker)
      } catch let error as StorageError {
        throw CommandFailure(description: error.description)
      }
    }
    for person in DemoHousehold.everybody {
      print("\(person.name): \(person.email), password: \(person.password)")
    }
  }

  private func furnish(marker: String) async throws {
    var logger = Logger(label: "regimen") { JSONLinesLogHandler(label: $0, level: .error) }
    logger.logLevel = .error
    let composition = try await Composition.open(
      data: data.folder, database: DatabaseChoice.address(nil),
      settings: ServerSettings(
        publicURL: nil, homeZone: Composition.machineZone, trustedProxies: []),
      clockOffset: 0, logger: logger)
    let environment = composition.environment
    // A person's own data must never become part of a demonstration.
    guard environment.setupCode != nil else {
      await environment.database.close()
      throw CommandFailure(
        description: "\(data.folder) is not empty. Name an empty folder with --data.")
    }
    do {
      // Written before the first invented person, so that an interrupted run leaves a marked
      // demonstration.
      try Data("1\n".utf8).write(to: URL(filePath: marker))
      var generator = SeededGenerator(seed: seed)
      try await DemoHousehold(
        environment: environment, language: Language(rawValue: language) ?? .en
      ).furnish(using: &generator)
    } catch {
      await environment.database.close()
      throw error
    }
    await environment.database.close()
  }
}
