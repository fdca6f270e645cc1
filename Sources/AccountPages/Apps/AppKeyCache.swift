// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage
import Synchronization

/// The public keys of apps that were fetched lately, by address.
///
/// A fetched document serves as long as its server says, within bounds. An unknown key causes a new fetch, but at most
/// one a minute for an address, so that forged assertions can't make this server flood another. During an outage of the
/// app's server the known keys serve on for a while.
final class AppKeyCache: Sendable {
  /// The time after which a document is fetched again if its server says nothing, in milliseconds.
  static let usualAge: Int64 = 300_000
  /// The longest time that a server can ask for, in milliseconds.
  static let longestAge: Int64 = 3_600_000
  /// The shortest time between two fetches of an address whose keys are known, in milliseconds.
  static let pause: Int64 = 60_000
  /// The time for which known keys serve on although their server does not answer, in milliseconds.
  static let outage: Int64 = 3_600_000

  private struct Kept: Sendable {
    var document: JSONValue
    var until: Timestamp
    var tried: Timestamp
  }

  private let capacity: Int
  private let kept = Mutex<[String: Kept]>([:])

  /// Creates an empty cache.
  ///
  /// - Parameter capacity: The most addresses; the one whose document is the oldest makes room for a new one.
  init(capacity: Int = 100) {
    self.capacity = capacity
  }

  /// Returns the document at an address from the cache, or nil if it must be fetched.
  ///
  /// - Parameter key: The name of the key that is needed; nil for any.
  func document(at address: String, with key: String?, now: Timestamp) -> JSONValue? {
    kept.withLock { kept in
      guard var found = kept[address] else { return nil }
      let age = now.milliseconds - found.tried.milliseconds
      let isFresh = now < found.until && age >= 0
      if isFresh, key.map({ Self.names($0, in: found.document) }) ?? true { return found.document }
      if (0..<Self.pause).contains(age), Self.isUsable(found, now) { return found.document }
      // Others get what is known while this caller fetches.
      found.tried = now
      kept[address] = found
      return nil
    }
  }

  /// Returns the document that serves although a fetch failed; nil if none is recent enough.
  func spare(at address: String, now: Timestamp) -> JSONValue? {
    kept.withLock { kept in
      guard let found = kept[address] else { return nil }
      guard Self.isUsable(found, now) else {
        kept[address] = nil
        return nil
      }
      return found.document
    }
  }

  /// Keeps a fetched document.
  ///
  /// - Parameter age: The time that its server gave, in milliseconds; nil for none.
  func keep(_ document: JSONValue, at address: String, age: Int64?, now: Timestamp) {
    let lifetime = min(max(age ?? Self.usualAge, Self.pause), Self.longestAge)
    kept.withLock { kept in
      if kept[address] == nil, kept.count >= capacity,
        let oldest = kept.min(by: { $0.value.tried < $1.value.tried })?.key
      {
        kept[oldest] = nil
      }
      kept[address] = Kept(
        document: document, until: now.adding(milliseconds: lifetime), tried: now)
    }
  }

  private static func isUsable(_ kept: Kept, _ now: Timestamp) -> Bool {
    now < kept.until.adding(milliseconds: outage)
  }

  private static func names(_ key: String, in document: JSONValue) -> Bool {
    document["keys"]?.array?.contains { $0["kid"]?.string == key } ?? false
  }
}

/// The time for which an answer may be kept, as its `Cache-Control` says (RFC 9111 section 5.2.2).
enum CacheAge {
  /// Returns the time in milliseconds; nil if the field says nothing about it.
  static func milliseconds(_ field: String?) -> Int64? {
    var age: Int64?
    for part in (field ?? "").lowercased().split(separator: ",") {
      let words = part.split(separator: "=", maxSplits: 1).map { word in
        word.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
      }
      switch words.first {
      case "no-store", "no-cache": return 0
      case "max-age":
        guard words.count == 2, let seconds = Int64(words[1]), seconds >= 0 else { continue }
        age = min(seconds, AppKeyCache.longestAge / 1000) * 1000
      default: continue
      }
    }
    return age
  }
}
