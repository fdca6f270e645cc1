// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Slows down guessing: after some failures in a row, the target must wait, twice as long each
/// time, up to 15 minutes.
///
/// The counts are in the database, so that a restart forgets nothing and all nodes count together.
/// An attempt is counted before it is judged: many at the same time are not judged for the price of
/// one.
package struct SignInThrottle: Sendable {
  private let database: Database

  /// Creates a throttle that counts in a database.
  package init(database: Database) {
    self.database = database
  }

  /// The target of guesses, or a place from which they come.
  package struct Bucket: Sendable, Hashable {
    /// A blind index: no address can be read from the table.
    let key: [UInt8]
    /// Failures that cost nothing yet.
    let free: Int64
    /// True if one success shows that the failures before it were slips.
    let isClearedBySuccess: Bool
    /// Failures that are forgotten in each minute.
    var leak: Int64 = 0
    /// The longest that anybody waits, in milliseconds.
    var longestWait: Int64 = 15 * 60_000

    /// Returns the bucket of a target: an account's password, or a person's codes.
    package static func target(_ key: [UInt8]) -> Bucket {
      Bucket(key: key, free: 5, isClearedBySuccess: true)
    }

    /// Returns the bucket of a network from which guesses come.
    ///
    /// Many people may share a network, and a guesser can have an account of their own there: so it
    /// allows more failures, and success clears nothing.
    package static func origin(_ key: [UInt8]) -> Bucket {
      Bucket(key: key, free: 50, isClearedBySuccess: false)
    }

    /// Returns the bucket of all attempts at everything, from everywhere.
    ///
    /// People mistype all the time, and a guesser with many addresses must not lock everyone out:
    /// so it forgets one failure each second, and waits are at most 4 seconds.
    package static func everywhere(_ key: [UInt8]) -> Bucket {
      Bucket(key: key, free: 300, isClearedBySuccess: false, leak: 60, longestWait: 4000)
    }

    /// Returns the bucket of text messages that strangers can cause: each costs the operator money.
    package static func texts(_ key: [UInt8]) -> Bucket {
      Bucket(key: key, free: 60, isClearedBySuccess: false, leak: 1)
    }
  }

  /// Failures this long ago, in milliseconds, no longer count.
  private static let memory: Int64 = 24 * 3_600_000

  /// Counts an attempt.
  ///
  /// Throws ``AccountError/tooManyAttempts(retryAfterSeconds:)`` while one of its buckets must
  /// wait.
  package func admit(_ buckets: [Bucket], at now: Timestamp) async throws {
    try await database.write { try Self.admit(buckets, at: now, in: $0) }
  }

  /// The same within a transaction; what is refused changes nothing.
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
      // A clock that was put back does not make anybody wait for longer than the longest time.
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

  /// Clears the failures that a success shows to have been slips, and takes the attempt back from
  /// the other buckets.
  package func succeeded(_ buckets: [Bucket]) async throws {
    try await database.write { try Self.succeeded(buckets, in: $0) }
  }

  /// The same within a transaction.
  static func succeeded(_ buckets: [Bucket], in writer: any SQLWriter) throws {
    for bucket in buckets {
      if bucket.isClearedBySuccess {
        try writer.execute("DELETE FROM attempts WHERE bucket = $1", [.blob(bucket.key)])
      } else {
        try takeBack(bucket, in: writer)
      }
    }
  }

  /// Takes back an attempt that was not judged.
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

  /// Forgets what no longer counts.
  static func forget(at now: Timestamp, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "DELETE FROM attempts WHERE latest < $1", [SQLValue(now.milliseconds - memory)])
  }
}

extension AccountStore {
  /// What an attempt to sign in is counted by: a known device's own, else the account, the network and
  /// all together.
  func signInBuckets(
    of address: SignInName, from network: String?, known device: Secret? = nil, epoch: Int64
  ) -> [SignInThrottle.Bucket] {
    if let own = knownBucket(device, to: address, epoch: epoch) { return [own] }
    return [.target(attemptKey("sign-in", address.folded))]
      + [network].compactMap(\.self).map { .origin(attemptKey("network", $0)) }
      + [.everywhere(attemptKey("everywhere", ""))]
  }

  /// Returns the bucket for a signed-in person who types the password again: guesses at sign-in
  /// must not keep the owner from it.
  func proofBucket(of account: AccountID) -> SignInThrottle.Bucket {
    .target(attemptKey("proof", account.text))
  }

  /// What wrong codes of an account are counted by.
  func codeBucket(of account: AccountID) -> SignInThrottle.Bucket {
    .target(attemptKey("second-step", account.text))
  }

  /// Returns the key of a bucket: of a kind such as `sign-in`, for a target or a place.
  package func attemptKey(_ kind: String, _ text: String) -> [UInt8] {
    cipher.blindIndex(text, context: "attempts:\(kind)")
  }
}

enum AttemptsRow: SQLRowType {
  enum Column: Int, SQLColumn { case failures, latest }

  static let columns = SQLColumns<Column>()
}
