// SPDX-License-Identifier: Apache-2.0

import Accounts
import Adherence
import Channels
import Localization
import Logging
import ServiceLifecycle
import Storage

/// Checks for faults of the installation, logs when one begins or ends, and mails administrators.
struct FaultService: Service, CustomStringConvertible {
  let description = "faults"

  let environment: ServerEnvironment
  private let secondsBetweenLooks = 15

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await look()
        try? await Task.sleep(for: .seconds(secondsBetweenLooks))
      }
    }
  }

  /// Checks once; a fault that could not be reported is reported after the next check.
  func look() async {
    let now = environment.now()
    var found = Set(environment.faultsNow(at: now))
    if await environment.outage(at: now)?.part == "clock" { found.insert(.clock) }
    if environment.database.knownDamage != nil { found.insert(.damage) }
    let change = environment.faults.note(found)
    for fault in change.begun.sorted() {
      environment.logger.critical(
        "a fault of the installation began", metadata: ["fault": .string(fault.rawValue)])
    }
    for fault in change.ended.sorted() {
      environment.logger.notice(
        "a fault of the installation ended", metadata: ["fault": .string(fault.rawValue)])
    }
    let untold = environment.faults.untold
    if !untold.isEmpty, await tell(untold.sorted(), at: now) { environment.faults.told(untold) }
  }

  /// Returns true if the mail program accepted a message for at least one recipient.
  private func tell(_ faults: [InstallationFault], at now: Timestamp) async -> Bool {
    guard let program = environment.channels.sendMail, let sender = environment.channels.sender
    else { return false }
    let accounts = environment.accounts
    guard
      let addresses = try? await environment.database.read({ reader in
        try accounts.administratorsAddresses(in: reader)
      })
    else { return false }
    let localizer = Localizer.of(.en)
    let health = environment.backups.health(environment.settings, now: now)
    let lines = faults.map { "- \(localizer.text($0.title(health)))" }
    let text = """
      \(localizer.text("faults.mail.text"))

      \(lines.joined(separator: "\n"))

      \(environment.baseURL)/status
      """
    var isTaken = false
    let recipients = addresses.compactMap { MailAddress($0) }
    for recipient in recipients.isEmpty ? [sender] : recipients {
      let outcome = await program(
        MailMessage(
          from: sender, to: recipient, subject: localizer.text("faults.mail.subject"),
          text: text + "\n", messageID: "\(environment.newIdentifier())@regimen.invalid",
          dateSeconds: now.milliseconds / 1_000))
      if outcome == .accepted { isTaken = true }
    }
    return isTaken
  }
}

extension InstallationFault: Comparable {
  package static func < (left: InstallationFault, right: InstallationFault) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Returns the title of the fault, for pages and mails.
  func title(_ backups: BackupHealth) -> MessageKey {
    switch self {
    case .clock: "status.clock.title"
    case .backup: BackupBanner.title(backups) ?? "backup.banner.failed"
    case .zones: "faults.zones"
    case .log: "faults.log"
    case .audit: "faults.audit"
    case .damage: "faults.damage"
    }
  }
}
