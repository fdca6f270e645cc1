// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Outbound

/// Passes mail to a sendmail-compatible program: `PROGRAM -i -f SENDER -- RECIPIENT`, with the message on
/// standard input.
///
/// The arguments are passed directly, without a shell. At most four run at a time, each on its own thread.
package struct SendmailProgram: Sendable {
  /// The maximum time that a program may run, and that a mail may wait for a slot, in seconds.
  static let standardTimeLimit = 10

  private let path: String
  private let sender: MailAddress
  private let timeLimit: Int
  private let places = Bulkhead(limit: 4)
  private let threads = DispatchQueue(label: "regimen.sendmail", attributes: .concurrent)

  /// Creates a sender that runs a program.
  ///
  /// - Parameters:
  package init(path: String, sender: MailAddress) {
    self.init(path: path, sender: sender, timeLimit: Self.standardTimeLimit)
  }

  init(path: String, sender: MailAddress, timeLimit: Int) {
    self.path = path
    self.sender = sender
    self.timeLimit = timeLimit
  }

  /// Runs the program for one message, which has one recipient, and returns its outcome.
  ///
  /// Once started, it continues even if the calling task is cancelled: half a mail is useless.
  package func send(_ message: MailMessage) async -> MailOutcome {
    let waiting = CallDeadline(seconds: timeLimit)
    defer { waiting.stop() }
    do throws(OutboundError) {
      try await places.enter(within: waiting)
    } catch {
      return .retry(.busy)
    }
    defer { places.leave() }
    let arguments = [path, "-i", "-f", sender.mailbox, "--", message.to.mailbox]
    let input = message.renderedForProgram
    return await withCheckedContinuation { continuation in
      threads.async { [timeLimit] in
        continuation.resume(returning: Self.run(arguments, input, timeLimit: timeLimit))
      }
    }
  }

  /// Blocks until the program has ended.
  private static func run(
    _ arguments: [String], _ input: [UInt8], timeLimit: Int
  ) -> MailOutcome {
    let program: ChildProgram
    do throws(ChildProgram.StartError) {
      program = try ChildProgram(
        arguments: arguments, input: input, environment: environment)
    } catch {
      switch error {
      case .input(let code): return .retry(.system(code: code))
      case .program(let code) where [EAGAIN, ENOMEM, EMFILE, ENFILE, ETXTBSY].contains(code):
        return .retry(.system(code: code))
      case .program(let code): return .refused(.notStarted(code: code))
      }
    }
    let deadline = CallDeadline(seconds: timeLimit)
    defer { deadline.stop() }
    if deadline.watch({ _ in program.kill() }) != nil { program.kill() }
    switch program.wait() {
    case .exited(0): return .accepted
    // Temporary failures, including those that the system may recover from soon.
    case .exited(let status) where [EX_TEMPFAIL, EX_OSERR, EX_IOERR].contains(status):
      return .retry(.temporary(status: status))
    case .exited(let status): return .refused(.status(status))
    case .killed: return .retry(.timeout)
    case .signalled(let signal): return .retry(.ended(signal: signal))
    }
  }

  /// The server's environment, which mail programs use to find their settings, without the server's own
  /// variables.
  private static var environment: [String] {
    ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("REGIMEN_") }
      .map { "\($0.key)=\($0.value)" }
  }
}

// From sysexits.h, which is not visible in Swift.
private let EX_OSERR: Int32 = 71
private let EX_IOERR: Int32 = 74
private let EX_TEMPFAIL: Int32 = 75
