// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Web

/// The command `regimen change-key`.
struct ChangeKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change-key", abstract: "Changes the key of encrypted fields in the database.",
    discussion: """
      Writes a new key into keys.json, encrypts every encrypted field again, and removes the old \
      key once nothing needs it. Works while the server runs and without it. If stopped half-way, \
      it continues when called again. With PostgreSQL, stop all nodes but one and give them a copy \
      of keys.json before they start. Or give all nodes new keys, written with --new-keys, restart \
      each, then call this: it refuses while a node runs without them. Backups contain the keys \
      they need. If the keys are a systemd credential, write new ones with --new-keys, make them \
      the credential, restart, and call this again.
      """)

  @Option(help: "Only write the next keys to this new file.")
  var newKeys: String?
  @OptionGroup var data: DataOptions

  func run() async throws {
    try DataPresence.require(data.folder)
    try await MaintenanceClient(data: data.folder).run(
      .changeKey(newKeys: newKeys.map(CommandPath.absolute)))
  }
}
