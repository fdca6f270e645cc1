// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Slows down guessing: after some failures in a row, the target must wait, twice as long each time, up to 15
/// minutes.
///
/// The counts are in the database, so that they survive a restart and all nodes count together. An attempt is
/// counted before it is checked, so that concurrent attempts are not free.
package struct SignInThrottle: Sendable {
  private let database: Database

  /// Creates a throttle that counts in a database.
  package init(database: Database) {
    self.database = database
  }

  /// A target of guesses, or a network that they come from.
  package struct Bucket: Sendable, Hashable {
    /// The key, a blind index: the table reveals no address.
    let key: [UInt8]
    /// The number of failures without a wait.
    let free: Int64
    /// True if one success shows that earlier failures were slips.
    let isClearedBySuccess: Bool
    /// The number of failures that are forgotten in each minute.
    var leak: Int64 = 0
    /// The maximum wait, in milliseconds.
    var longestWait: Int64 = 15 * 60_000

    /// Returns the bucket of a target: an account's password, or a person's codes.
    package static func target(_ key: [UInt8]) -> Bucket {
      Bucket(key: key, free: 5, isClearedBySuccess: true)
    }

    /// Returns the bucket of a network that guesses come from.
    ///
    /// Many people may share a network, and an attacker can have an account there too, so it allows more
    /// failures, and success clears nothing.
    package static func origin(_ key: [UInt8]) -> Bucket {
      Bucket(key: key, free: 50, isClearedBySuccess: false)
    }

    /// Returns the bucket of all attempts from everywhere.
    ///
    /// People mistype all the time, and an attacker with many addresses must not lock everyone out, so it
    /// forgets one failure each second, and waits are at most 4 seconds.
    package static func everywhere(_ key: [UInt8]) -> Bucket {
      Bucket(key: key, free: 300, isClearedBySuccess: false, leak: 60, longestWait: 4000)
    }

    /// Returns the bucket of text messages that strangers can cause: each costs the operator money.
    package static func texts(_ key: [UInt8]) -> Bucket {
      Bucket(key: key, free: 60, isClearedBySuccess: false, leak: 1)
    }
  }

  /// The age beyond which failures no longer count, in milliseconds.
  private static let memory: Int64 = 24 * 3_600_000

  /// Counts an attempt.
  ///
  /// Throws ``AccountError/tooManyAttempts(retryAfterSeconds:)`` while one of its buckets must
  /// wait.
  package func admit(_ buckets: [Bucket], at now: Timestamp) async throws {
    try await database.write { try Self.admit(buckets, at: now, in: $0) }
  }

  /// Counts an attempt within a transaction; a rejected one changes nothing.
  static func admit(_ buckets: [Bucket], at now: Timestamp, in writer: any SQLWriter) throws {
    var counts: [Int64] = []
    for bucket in buckets {
      let earlier = try writer.first(Self.attemptsStatement, [.blob(bucket.key)])?
        .read(AttemptsRow.self)
      let failures = try earlier?.integer(.failures) ?? 0
      let latest = try earlier?.integer(.latest) ?? 0
      let isFresh = now.milliseconds - latest < Self.memory
      let forgotten = max(0, now.milliseconds - latest) / 1000 * bucket.leak / 60
      let count = isFresh ? max(0, failures - forgotten) : 0
      // After the clock was set back, no one waits for longer than the maximum.
      let allowed = min(latest, now.milliseconds) + Self.wait(after: count, bucket)
      if isFresh, now.milliseconds < allowed {
        throw AccountError.tooManyAttempts(
          retryAfterSeconds: Int((allowed - now.milliseconds + 999) / 1000))
      }
      counts.append(count)
    }
    for (bucket, count) in zip(buckets, counts) {
      try writer.execute(
        """
        INSERT INTO attempts (bucket, failures, latest) VALUES ($1, $2, $3)
        ON CONFLICT (bucket) DO UPDATE SET failures = excluded.failures, latest = excluded.latest
        """, [.blob(bucket.key), SQLValue(count + 1), SQLValue(now)])
    }
  }

  private static let attemptsStatement = SQLStatement(
    "SELECT \(AttemptsRow.columns) FROM attempts WHERE bucket = $1")

  /// Clears failures that a success shows to have been slips, and takes the attempt back from the other
  /// buckets.
  package func succeeded(_ buckets: [Bucket]) async throws {
    try await database.write { try Self.succeeded(buckets, in: $0) }
  }

  /// Clears failures within a transaction.
  static func succeeded(_ buckets: [Bucket], in writer: any SQLWriter) throws {
    for bucket in buckets {
      if bucket.isClearedBySuccess {
        try writer.execute("DELETE FROM attempts WHERE bucket = $1", [.blob(bucket.key)])
      } else {
        try takeBack(bucket, in: writer)
      }
    }
  }

  /// Takes back an attempt that was not checked.
  package func forgive(_ buckets: [Bucket]) async throws {
    try await database.write { writer in
      for bucket in buckets { try Self.takeBack(bucket, in: writer) }
    }
  }

  private static func takeBack(_ bucket: Bucket, in writer: any SQLWriter) throws {
    try writer.execute(
      "UPDATE attempts SET failures = failures - 1 WHERE bucket = $1 AND failures > 0",
      [.blob(bucket.key)])
  }

  private static func wait(after count: Int64, _ bucket: Bucket) -> Int64 {
    guard count >= bucket.free else { return 0 }
    let doublings = min(count - bucket.free, 20)
    return min(bucket.longestWait, 1000 << doublings)
  }

  /// Deletes counts that no longer matter.
  static func forget(at now: Timestamp, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "DELETE FROM attempts WHERE latest < $1", [SQLValue(now.milliseconds - memory)])
  }
}

extension AccountStore {
  /// Returns the buckets for an attempt to sign in: a known device's own, otherwise the account's, the
  /// network's and the common one.
  func signInBuckets(
    of address: SignInName, from network: String?, known device: Secret? = nil, epoch: Int64
  ) -> [SignInThrottle.Bucket] {
    if let own = knownBucket(device, to: address, epoch: epoch) { return [own] }
    return [.target(attemptKey("sign-in", address.folded))]
      + [network].compactMap(\.self).map { .origin(attemptKey("network", $0)) }
      + [.everywhere(attemptKey("everywhere", ""))]
  }

  /// Returns the bucket for a signed-in person who types the password again: guesses at sign-in must not
  /// block the owner.
  func proofBucket(of account: AccountID) -> SignInThrottle.Bucket {
    .target(attemptKey("proof", account.text))
  }

  /// Returns the bucket for wrong codes of an account.
  func codeBucket(of account: AccountID) -> SignInThrottle.Bucket {
    .target(attemptKey("second-step", account.text))
  }

  /// Returns the key of a bucket: a kind such as `sign-in`, with a target or a network.
  package func attemptKey(_ kind: String, _ text: String) -> [UInt8] {
    cipher.blindIndex(text, context: "attempts:\(kind)")
  }
}

enum AttemptsRow: SQLRowType {
  enum Column: Int, SQLColumn { case failures, latest }

  static let columns = SQLColumns<Column>()
}
