// SPDX-License-Identifier: Apache-2.0

/// The outcome of a mail handed to the sendmail program.
package enum MailOutcome: Sendable, Hashable {
  /// The program accepted it, which does not mean that the mailbox has it.
  case accepted
  /// Try again later.
  case retry(MailTrouble)
  /// Retrying does not help.
  case refused(MailRefusal)
}

/// A reason why a mail can succeed later.
package enum MailTrouble: Sendable, Hashable {
  /// The program reported it (`EX_TEMPFAIL` and similar codes in sysexits.h).
  case temporary(status: Int32)
  /// The program took too long and was killed.
  case timeout
  /// The program was killed by a signal from elsewhere.
  case ended(signal: Int32)
  /// No slot to run it became free in time.
  case busy
  /// The system is short of processes, memory or open files; `code` is its errno.
  case system(code: Int32)
}

/// A reason why a mail cannot be sent.
package enum MailRefusal: Sendable, Hashable {
  /// The program ended with this status; see sysexits.h.
  case status(Int32)
  /// The program could not be started; `code` is the system's errno.
  case notStarted(code: Int32)
}
