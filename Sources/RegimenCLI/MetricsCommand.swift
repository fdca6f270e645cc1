// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Operations

/// The command `regimen metrics`.
struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics", abstract: "Prints the running server's metrics for Prometheus.",
    discussion: """
      Faults, backups, audit trail, requests, reminders, database and memory in the Prometheus \
      text format, without health data or names. Exits with 1 if no server answers.
      """)

  @OptionGroup var data: DataOptions

  func run() throws {
    try DataPresence.require(data.folder)
    let text: String
    do {
      let answer = try SocketRequest(socket: data.folder + "/control.sock").get(MetricsRoutes.path)
      guard answer.status == 200 else {
        throw CommandFailure(description: "The server answered \(answer.status).")
      }
      text = answer.text
    } catch SocketRequest.Failure.unreachable {
      throw CommandFailure(
        description: "No server is running on \(data.folder). Start it to get metrics.")
    } catch let error as SocketRequest.Failure {
      throw CommandFailure(description: error.description)
    }
    guard StandardStream.output.write(text) else {
      throw CommandFailure(description: "The metrics could not be written to standard output.")
    }
  }
}
