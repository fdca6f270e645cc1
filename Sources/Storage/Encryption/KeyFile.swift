// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation

extension KeyRing {
  /// Returns the keys of a data folder, which are created on the first start.
  ///
  /// If a database exists without its key file, no new keys are created, since they could not open
  /// it.
  package static func load(
    from folder: DataFolder, random: RandomBytes
  ) throws(StorageError) -> KeyRing {
    let path = folder.keysPath
    if let ring = try handedOver(to: folder) { return ring }
    if PrivateFile.exists(path) { return try read(path) }
    guard !PrivateFile.exists(folder.databasePath) else { throw .keysMissing(path: path) }
    let ring = try generate(random: random)
    // Marked before the keys are written, so that an interrupted first start can be repeated.
    try folder.setNew(true)
    try ring.write(to: path)
    return ring
  }

  /// Returns the keys of a data folder.
  ///
  /// Throws ``StorageError/keysMissing(path:)`` if it has none.
  package static func existing(in folder: DataFolder) throws(StorageError) -> KeyRing {
    if let ring = try handedOver(to: folder) { return ring }
    guard PrivateFile.exists(folder.keysPath) else { throw .keysMissing(path: folder.keysPath) }
    return try read(folder.keysPath)
  }

  /// Returns the keys of a credential; nil if there is none.
  ///
  /// Throws if there are two, because it would be unclear which one counts.
  private static func handedOver(to folder: DataFolder) throws(StorageError) -> KeyRing? {
    guard case .credential(let path) = folder.keyPlace else { return nil }
    guard !PrivateFile.exists(folder.keysPath) else {
      throw .keysUnusable(
        path: folder.keysPath, reason: "the keys also come as a credential; remove one of them")
    }
    // The service manager sets the mode and may allow a group with one member to read it.
    return try read(path, isPrivate: false)
  }

  /// The file's content: the keys of each purpose by age, the last one for new values.
  private struct File: Codable {
    struct Entry: Codable {
      let use: String
      let id: String
      let secret: Data
    }

    let version: Int
    let keys: [Entry]
  }

  static func read(
    _ path: String, isPrivate: Bool = true
  ) throws(StorageError) -> KeyRing {
    func unusable(_ reason: String) -> StorageError {
      .keysUnusable(path: path, reason: reason)
    }
    guard !isPrivate || !PrivateFile.isOpenToOthers(path) else {
      throw unusable("others can read it; set its permissions to 0600")
    }
    let data = try PrivateFile.read(path)
    guard let file = try? JSONDecoder().decode(File.self, from: data) else {
      throw unusable("it is not a key file")
    }
    guard file.version == 1 else { throw unusable("it was written by a newer version") }
    guard file.keys.allSatisfy({ Use(rawValue: $0.use) != nil }) else {
      throw unusable("it has a key of unknown use")
    }
    func keys(_ use: Use) throws(StorageError) -> KeySet {
      var some: [Key] = []
      for entry in file.keys where entry.use == use.rawValue {
        guard let key = Key(id: entry.id, secret: Array(entry.secret)) else {
          throw unusable("a key for \(use.rawValue) is malformed")
        }
        some.append(key)
      }
      guard let current = some.popLast() else {
        throw unusable("the key for \(use.rawValue) is missing")
      }
      return KeySet(current: current, older: some)
    }
    return KeyRing(
      fields: try keys(.fields), blindIndex: try keys(.blindIndex), audit: try keys(.audit))
  }

  func write(to path: String) throws(StorageError) {
    let entries = Use.allCases.flatMap { use in
      (self[use].older + [self[use].current]).map { key in
        File.Entry(use: use.rawValue, id: key.id, secret: key.secret.withUnsafeBytes { Data($0) })
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let content = try? encoder.encode(File(version: 1, keys: entries)) else {
      throw .keysUnusable(path: path, reason: "it could not be written")
    }
    try PrivateFile.replace(path, with: content, synced: true)
  }
}
