// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Logging
import Server
import Storage

/// Reaches the data: through the running server's socket, or under the lock when none runs.
struct AdministrationClient {
  let data: String

  /// Carries out a command and returns the line to print.
  func perform(_ command: AdministrationCommand) async throws -> String {
    do {
      return try await performDirectly(command)
    } catch StorageError.inUse {
      return try performThroughSocket(command)
    } catch let error as StorageError {
      throw CommandFailure(description: error.description)
    } catch let error as CommandFailure {
      throw error
    } catch {
      guard let failure = Failure(mapping: error) else { throw error }
      throw CommandFailure(description: failure.detail)
    }
  }

  private func performDirectly(_ command: AdministrationCommand) async throws -> String {
    var logger = Logger(label: "regimen") { JSONLinesLogHandler(label: $0, level: .error) }
    logger.logLevel = .error
    let settings = ServerSettings(
      publicURL: ProcessInfo.processInfo.environment["REGIMEN_PUBLIC_URL"],
      homeZone: Composition.machineZone, trustedProxies: [])
    let composition = try await Composition.open(
      data: data, settings: settings, clockOffset: 0, logger: logger)
    do {
      let line = try await Administration(environment: composition.environment).perform(command)
      await composition.environment.database.close()
      return line
    } catch {
      await composition.environment.database.close()
      throw error
    }
  }

  private func performThroughSocket(_ command: AdministrationCommand) throws -> String {
    let path = data + "/control.sock"
    let answer: (status: Int, body: JSONValue)
    do {
      answer = try SocketRequest(socket: path).post(
        AdministrationRoutes.path, json: command.json)
    } catch let error as SocketRequest.Failure {
      throw CommandFailure(description: error.description)
    }
    guard answer.status == 200, let line = answer.body["line"]?.string else {
      let detail = answer.body["detail"]?.string ?? "The server answered \(answer.status)."
      throw CommandFailure(description: detail)
    }
    return line
  }
}
