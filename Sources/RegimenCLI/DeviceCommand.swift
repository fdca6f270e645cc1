// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HomeDevices
import Operations

/// The command `regimen device`.
struct DeviceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device", abstract: "Manages and simulates pill boxes and other home devices.",
    discussion: "A device posts events with its own token, which opens nothing else.",
    subcommands: [Add.self, List.self, Revoke.self, DeviceSimulation.self])

  /// The command `regimen device add`.
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds a device for the account's own patient.",
      discussion: "Prints its id and its token, which is not shown again.")

    @Option(help: "E-mail address of the account.")
    var account: String
    @Option(help: "pill-box, drawer, button, dispenser, scale, camera or rfid-reader.")
    var kind = HomeDevice.Kind.pillBox.rawValue
    @Option(help: "Name, which appears next to the doses that it records.")
    var name: String
    @Option(help: "Meaning of its events: log, ask or note.")
    var meaning = HomeDeviceCompartment.Meaning.ask.rawValue
    @Option(help: "Compartment with the same meaning; may be repeated.")
    var compartment: [String] = []
    @OptionGroup var data: DataOptions

    func run() async throws {
      guard let kind = HomeDevice.Kind(rawValue: kind) else {
        let known = HomeDevice.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--kind must be one of \(known).")
      }
      guard let meaning = HomeDeviceCompartment.Meaning(rawValue: meaning) else {
        throw ValidationError("--meaning must be log, ask or note.")
      }
      try await data.perform(
        .device(
          .add(
            email: account, kind: kind, name: name, meaning: meaning, compartments: compartment)))
    }
  }

  /// The command `regimen device list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the devices of the account's own patient, one per line.",
      discussion: "Id, kind, enabled or revoked, last report, name.")

    @Option(help: "E-mail address of the account.")
    var account: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.device(.list(email: account)))
    }
  }

  /// The command `regimen device revoke`.
  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Ends the token of a device, and prints its id.")

    @Option(help: "E-mail address of the account.")
    var account: String
    @Argument(help: "Id of the device.")
    var id: String
    @OptionGroup var data: DataOptions

    func run() async throws {
      try await data.perform(.device(.revoke(email: account, id: id)))
    }
  }
}
