// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import Hummingbird
import Localization
import Logging
import Presentation
import ServiceLifecycle
import Storage
import Web

/// Hands feedback to the mail program, and retries until it is accepted.
struct FeedbackSending: Sendable {
  private static let most = 10
  /// The milliseconds for which no other node retries.
  private static let hold: Int64 = 10 * 60_000

  let environment: ServerEnvironment

  /// Tries all feedback that is due, and returns the ids of what was sent.
  ///
  /// - Parameter localizer: The language of the subject.
  func round(subject localizer: Localizer = .of(.en)) async -> Set<String> {
    var went: Set<String> = []
    do {
      let (accounts, now) = (environment.accounts, environment.now())
      let (due, addresses) = try await environment.database.write { writer in
        (
          try accounts.takeFeedback(Self.most, at: now, hold: Self.hold, in: writer),
          try accounts.administratorsAddresses(in: writer)
        )
      }
      for feedback in due {
        let isSent = await send(feedback, to: addresses, localizer)
        if isSent { went.insert(feedback.id) }
        try await environment.database.write { writer in
          if isSent {
            try accounts.feedbackWent(feedback.id, in: writer)
          } else {
            try accounts.feedbackWaits(
              feedback.id, until: now.adding(milliseconds: Self.wait(after: feedback.attempts)),
              in: writer)
          }
        }
      }
    } catch {
      // Logs only the type: the error's text may contain what someone wrote.
      environment.logger.error(
        "feedback could not be sent", metadata: ["type": .string("\(type(of: error))")])
    }
    return went
  }

  /// Returns the delay before the next attempt: one minute at first, six hours at most.
  private static func wait(after attempts: Int) -> Int64 {
    min(60_000 << Int64(min(attempts, 12)), 6 * 3_600_000)
  }

  private func send(
    _ feedback: Feedback, to addresses: [String], _ localizer: Localizer
  ) async -> Bool {
    guard let program = environment.channels.sendMail, let sender = environment.channels.sender
    else { return false }
    let recipients = addresses.compactMap { MailAddress($0) }
    var isTaken = false
    // Without an administrator's address, the mail goes to the sender's own mailbox.
    for recipient in recipients.isEmpty ? [sender] : recipients {
      let outcome = await program(
        MailMessage(
          from: sender, to: recipient, subject: localizer.text("feedback.mail-subject"),
          text: feedback.text + "\n", messageID: "\(feedback.id)@regimen.invalid",
          dateSeconds: feedback.created.milliseconds / 1_000))
      if outcome == .accepted { isTaken = true }
    }
    return isTaken
  }
}

/// Tries each minute to mail the feedback that is due.
package struct FeedbackService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "feedback"

  /// The services and settings of the server.
  package let environment: ServerEnvironment

  /// Creates the service of a server.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Runs until the server shuts down.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(60))
        if Task.isCancelled { return }
        _ = await FeedbackSending(environment: environment).round()
      }
    }
  }
}
