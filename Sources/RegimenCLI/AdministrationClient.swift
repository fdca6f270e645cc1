// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Logging
import Operations
import Storage
import Web

/// Runs commands on the data: through the running server's socket, or under the lock if no server
/// runs.
struct AdministrationClient {
  let data: String

  /// Runs a command and returns the line to print.
  func perform(_ command: AdministrationCommand) async throws -> String {
    try await carryOut {
      try await performDirectly(command)
    } throughSocket: {
      try performThroughSocket(command)
    }
  }

  /// Works under the lock, else through the socket; a failure becomes one line to print.
  func carryOut<Value>(
    directly: () async throws -> Value, throughSocket: () async throws -> Value
  ) async throws -> Value {
    do {
      do {
        return try await directly()
      } catch StorageError.inUse {
        return try await throughSocket()
      }
    } catch let error as SocketRequest.Failure {
      throw CommandFailure(description: error.description)
    } catch let error as StorageError {
      throw CommandFailure(description: error.description)
    } catch let error as BackupError {
      throw CommandFailure(description: error.description)
    } catch let error as CommandFailure {
      throw error
    } catch {
      guard let failure = Failure(mapping: error) else { throw error }
      throw CommandFailure(description: failure.detail, code: failure.code)
    }
  }

  /// Opens the data folder under its lock.
  func open(
    settings: ServerSettings? = nil, reminders: ReminderOptions = ReminderOptions()
  ) async throws -> Composition {
    var logger = Logger(label: "regimen") { JSONLinesLogHandler(label: $0, level: .error) }
    logger.logLevel = .error
    let settings =
      settings
      ?? ServerSettings(
        publicURL: ProcessInfo.processInfo.environment["REGIMEN_PUBLIC_URL"],
        homeZone: Composition.machineZone, trustedProxies: [])
    return try await Composition.open(
      data: data, database: DatabaseChoice.address(nil), settings: settings,
      reminders: reminders, clockOffset: 0, logger: logger)
  }

  private func performDirectly(_ command: AdministrationCommand) async throws -> String {
    let composition = try await open()
    do {
      let line = try await Administration(environment: composition.environment).perform(command)
      await composition.close()
      return line
    } catch {
      await composition.close()
      throw error
    }
  }

  private func performThroughSocket(_ command: AdministrationCommand) throws -> String {
    let path = data + "/control.sock"
    let answer = try SocketRequest(socket: path).post(
      AdministrationRoutes.path, json: command.json)
    guard answer.status == 200, let line = answer.body["line"]?.string else {
      let detail = answer.body["detail"]?.string ?? "The server answered \(answer.status)."
      throw CommandFailure(description: detail)
    }
    return line
  }
}

extension DataOptions {
  /// Runs a command on the data folder and prints its lines; an empty list prints nothing.
  func perform(_ command: AdministrationCommand) async throws {
    let lines = try await AdministrationClient(data: folder).perform(command)
    if !lines.isEmpty { print(lines) }
  }
}
