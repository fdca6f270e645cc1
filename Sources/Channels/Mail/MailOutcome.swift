// SPDX-License-Identifier: Apache-2.0

/// The outcome of a mail handed to the sendmail program.
package enum MailOutcome: Sendable, Hashable {
  /// The program took it over. It promises nothing about the mailbox.
  case accepted
  /// Try again later.
  case retry(MailTrouble)
  /// Trying again does not help.
  case refused(MailRefusal)
}

/// A reason why a mail can succeed later.
package enum MailTrouble: Sendable, Hashable {
  /// The program said so (`EX_TEMPFAIL` and its like in sysexits.h).
  case temporary(status: Int32)
  /// The program took too long and was ended.
  case timeout
  /// The program was ended by a signal from elsewhere.
  case ended(signal: Int32)
  /// No place to run it became free in time.
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
