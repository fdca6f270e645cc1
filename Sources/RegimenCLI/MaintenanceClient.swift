// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FHIR
import Foundation
import Operations
import Storage
import Web

/// Runs maintenance commands through the running server's socket, or under the lock if no server
/// runs.
struct MaintenanceClient {
  let data: String
  var settings: ServerSettings?
  var reminders = ReminderOptions()

  /// Runs a command and prints the result; exits with 1 if something is wrong.
  func run(_ command: MaintenanceCommand) async throws {
    let client = AdministrationClient(data: data)
    let report = try await client.carryOut {
      try await directly(command, client)
    } throughSocket: {
      try throughSocket(command)
    }
    // A finding can quote stored text, such as an id or the host of an address.
    for line in report.lines { print(TerminalText.line(line)) }
    if !report.isWell { throw ExitCode(1) }
  }

  private func directly(
    _ command: MaintenanceCommand, _ client: AdministrationClient
  ) async throws -> MaintenanceReport {
    let composition = try await client.open(settings: settings, reminders: reminders)
    do {
      let report = try await Maintenance(environment: composition.environment).perform(command)
      await composition.close()
      return report
    } catch {
      await composition.close()
      throw error
    }
  }

  private func throughSocket(_ command: MaintenanceCommand) throws -> MaintenanceReport {
    let answer = try SocketRequest(socket: data + "/control.sock").post(
      MaintenanceRoutes.path, json: command.json)
    guard answer.status == 200, let report = MaintenanceReport(json: answer.body) else {
      let detail = answer.body["detail"]?.string ?? "The server answered \(answer.status)."
      throw CommandFailure(description: detail)
    }
    return report
  }
}
