// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Web

/// The command `regimen change-key`.
struct ChangeKeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change-key", abstract: "Gives what is sealed in the database a new key.",
    discussion: """
      Writes a new key into keys.json, seals every sealed field anew, and takes the old key out when \
      nothing needs it any more; while the server runs or without it. Stopped half-way, it goes on \
      when it is called again. With PostgreSQL all nodes but one must be stopped, and get a copy of \
      keys.json before they start; or hand new keys, written with --new-keys, to all of them and call \
      this when each was started with them: it refuses while one runs that was not. Backups hold the keys that they need. Where the keys are a systemd \
      credential, write new ones with --new-keys, hand them over, restart, and call this again.
      """)

  @Option(help: "Only write the keys as they shall be next into this file, which is not there yet.")
  var newKeys: String?
  @OptionGroup var data: DataOptions

  func run() async throws {
    try DataPresence.require(data.folder)
    try await MaintenanceClient(data: data.folder).run(
      .changeKey(newKeys: newKeys.map(CommandPath.absolute)))
  }
}
