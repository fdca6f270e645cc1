// SPDX-License-Identifier: Apache-2.0

import Foundation
import Scheduling
import Synchronization

/// The zones of the system's zone directory, each read once.
public struct ZoneCatalog: Sendable {
  private let directory: String
  private let cache = ZoneCache()

  /// Creates a catalogue of a directory of TZif files, as installed by tzdata.
  public init(directory: String = "/usr/share/zoneinfo") {
    self.directory = directory
  }

  /// Returns the zone with an IANA identifier, such as "Europe/Oslo"; case matters.
  public func zone(_ identifier: String) throws(ZoneError) -> Zone {
    if let known = cache.zone(identifier) { return known }
    let zone = try read(identifier)
    cache.keep(zone)
    return zone
  }

  /// Returns a short text that changes with the rules of a zone's file, read from the disk.
  public func fingerprint(of identifier: String) throws(ZoneError) -> String {
    // FNV-1a is enough: it distinguishes versions of a system file, not an attacker's changes.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    let bytes = try content(of: identifier)
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return "\(bytes.count)-\(String(hash, radix: 16))"
  }

  /// Reads the files of known zones again; a zone whose file is missing or damaged keeps its rules.
  public func refresh() {
    cache.refresh { try? read($0) }
  }

  /// Throws if the zone's file on disk cannot be read now, even if it was read before.
  public func check(_ identifier: String) throws(ZoneError) {
    _ = try read(identifier)
  }

  private func read(_ identifier: String) throws(ZoneError) -> Zone {
    guard let file = ZoneFile(try content(of: identifier)) else { throw .malformed(identifier) }
    return Zone(
      identifier: identifier, transitions: file.transitions,
      initialOffsetSeconds: file.initialOffsetSeconds, rule: file.rule)
  }

  private func content(of identifier: String) throws(ZoneError) -> [UInt8] {
    guard Self.isWellFormed(identifier) else { throw .unknown(identifier) }
    let path = directory + "/" + identifier
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
      !isDirectory.boolValue
    else { throw .unknown(identifier) }
    guard let content = FileManager.default.contents(atPath: path) else {
      throw .unreadable(identifier)
    }
    return [UInt8](content)
  }

  /// The identifiers to offer, sorted: one or more per country, and UTC.
  ///
  /// From zone.tab and zone1970.tab, otherwise from tzdata.zi, otherwise from the files themselves. The first
  /// source leaves out older names, which `zone(_:)` still accepts.
  public var identifiers: [String] { cache.identifiers { readIdentifiers() } }

  /// Returns true if a text can be an identifier; nothing else is looked up on disk.
  ///
  /// Letters, digits and _ + - in parts between single slashes, beginning with a capital: no dots, so it
  /// cannot leave the directory, and none of its lower-case files and folders (posix, right, localtime).
  static func isWellFormed(_ identifier: String) -> Bool {
    let bytes = Array(identifier.utf8)
    guard let first = bytes.first, bytes.count <= 64,
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
    else { return false }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy(isIdentifierByte)
    }
  }

  private static func isIdentifierByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension ZoneCatalog {
  private func readIdentifiers() -> [String] {
    var names = Set<String>()
    for table in ["zone.tab", "zone1970.tab"] {
      for line in lines(of: table) where line.first != "#" {
        let columns = line.split(separator: "\t")
        if columns.count >= 3 { names.insert(String(columns[2])) }
      }
    }
    if names.isEmpty {
      for line in lines(of: "tzdata.zi") {
        let words = line.split(separator: " ")
        if words.count >= 2, words[0] == "Z" { names.insert(String(words[1])) }
        if words.count >= 3, words[0] == "L" { names.insert(String(words[2])) }
      }
    }
    if names.isEmpty {
      let files = FileManager.default.enumerator(atPath: directory)
      while let file = files?.nextObject() as? String { names.insert(file) }
    }
    names.insert("UTC")
    return names.filter { (try? zone($0)) != nil }.sorted()
  }

  private func lines(of file: String) -> [Substring] {
    guard let content = FileManager.default.contents(atPath: directory + "/" + file) else {
      return []
    }
    return String(decoding: content, as: UTF8.self).split(separator: "\n")
  }
}

/// The zones read from a directory, bounded by the number of its files.
private final class ZoneCache: Sendable {
  private let zones = Mutex<[String: Zone]>([:])
  private let names = Mutex<[String]?>(nil)

  func zone(_ identifier: String) -> Zone? {
    zones.withLock { $0[identifier] }
  }

  func keep(_ zone: Zone) {
    zones.withLock { $0[zone.identifier] = zone }
  }

  func refresh(_ read: (String) -> Zone?) {
    let known = zones.withLock { Array($0.keys) }
    for zone in known.compactMap(read) { keep(zone) }
    names.withLock { $0 = nil }
  }

  func identifiers(_ read: () -> [String]) -> [String] {
    if let known = names.withLock({ $0 }) { return known }
    let found = read()
    names.withLock { $0 = found }
    return found
  }
}
