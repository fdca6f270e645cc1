// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import Localization
import Logging
import Presentation
import ServiceLifecycle
import Storage
import Web

/// Checks for faults of the installation, logs when one begins or ends, and mails administrators.
package struct FaultService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "faults"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  private let secondsBetweenLooks = 15

  /// Checks every 15 seconds until the server shuts down.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await look()
        try? await Task.sleep(for: .seconds(secondsBetweenLooks))
      }
    }
  }

  /// Checks once; a fault that could not be reported is reported by a later check.
  func look() async {
    let now = environment.now()
    let outage = await environment.outage(at: now)
    let change = environment.faults.note(environment.allFaults(at: now, during: outage))
    for fault in change.begun.sorted() {
      environment.logger.critical(
        "a fault started", metadata: ["fault": .string(fault.rawValue)])
    }
    for fault in change.ended.sorted() {
      environment.logger.notice(
        "a fault ended", metadata: ["fault": .string(fault.rawValue)])
    }
    let due = environment.faults.due(at: now)
    if !due.isEmpty {
      let isAccepted = await tell(due.sorted(), at: now)
      environment.faults.note(mailed: due, isAccepted: isAccepted, at: now)
    }
  }

  /// Returns true if the mail program accepted a message for at least one recipient.
  private func tell(_ faults: [InstallationFault], at now: Timestamp) async -> Bool {
    guard let program = environment.channels.sendMail, let sender = environment.channels.sender
    else { return false }
    let accounts = environment.accounts
    guard
      let administrators = try? await environment.database.read({ reader in
        try accounts.administrators(in: reader)
      })
    else { return false }
    var recipients: [(MailAddress, Language)] = administrators.compactMap { account in
      MailAddress(account.email).map { ($0, account.language ?? .en) }
    }
    // If no administrator has an address, the mail goes to the sender's own mailbox.
    if recipients.isEmpty { recipients = [(sender, .en)] }
    var isTaken = false
    for (recipient, language) in recipients {
      let localizer = Localizer.of(language)
      let outcome = await program(
        MailMessage(
          from: sender, to: recipient, subject: localizer.text("faults.mail.subject"),
          text: text(faults, localizer, at: now),
          messageID: "\(environment.newIdentifier())@regimen.invalid",
          dateSeconds: now.milliseconds / 1_000))
      if outcome == .accepted { isTaken = true }
    }
    return isTaken
  }

  /// Returns the body of the mail in one language.
  private func text(
    _ faults: [InstallationFault], _ localizer: Localizer, at now: Timestamp
  ) -> String {
    let health = environment.backups.health(environment.settings, now: now)
    let lines = faults.map { "- \(localizer.text($0.title(health)))" }
    return """
      \(localizer.text("faults.mail.text"))

      \(lines.joined(separator: "\n"))

      \(environment.baseURL)/status

      """
  }
}

extension InstallationFault: Comparable {
  /// Orders faults by their codes, so that they are always listed in the same order.
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
    case .broker: "faults.broker"
    }
  }
}
