// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

@testable import Storage

@Suite struct EncryptionTests {
  @Test(arguments: [
    "", "a", "ann@example.org", "ยาเม็ด\u{0}🙂", String(repeating: "x", count: 9_000),
  ])
  func `sealed data can be opened again`(text: String) throws {
    let cipher = FieldCipher(keys: try KeyRing.test)
    let sealed = try cipher.seal(text, context: "accounts:1:email")
    #expect(try cipher.open(sealed, context: "accounts:1:email") == text)
    #expect(try cipher.seal(text, context: "accounts:1:email") != sealed)
  }

  @Test func `a field moved to another row, column or table does not open`() throws {
    let cipher = FieldCipher(keys: try KeyRing.test)
    let sealed = try cipher.seal("secret", context: "accounts:1:email")
    for context in ["accounts:2:email", "accounts:1:phone", "notes:1:email", ""] {
      #expect(throws: StorageError.decryptionFailed) { try cipher.open(sealed, context: context) }
    }
  }

  @Test func `any changed, cut or added byte is refused`() throws {
    let cipher = FieldCipher(keys: try KeyRing.test)
    let sealed = try cipher.seal("secret", context: "c")
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: StorageError.self) { try cipher.open(changed, context: "c") }
      #expect(throws: StorageError.self) {
        try cipher.open(Array(sealed[..<index]), context: "c")
      }
    }
    #expect(throws: StorageError.self) { try cipher.open(sealed + [0], context: "c") }
  }

  @Test func `a key missing from the key ring is named`() throws {
    let sealed = try FieldCipher(keys: try KeyRing.generate(random: seededBytes(5)))
      .seal("secret", context: "c")
    let other = FieldCipher(keys: try KeyRing.test)
    do {
      _ = try other.open(sealed, context: "c")
      Issue.record("A foreign field was opened.")
    } catch {
      guard case .unknownKey(let id) = error else { throw error }
      #expect(id.count == 12)
    }
  }

  @Test func `blind indexes match only for equal texts in the same context`() throws {
    let cipher = FieldCipher(keys: try KeyRing.test)
    let index = cipher.blindIndex("ann@example.org", context: "accounts:email")
    #expect(index.count == 32)
    #expect(index == cipher.blindIndex("ann@example.org", context: "accounts:email"))
    #expect(index != cipher.blindIndex("ann@example.org", context: "accounts:phone"))
    #expect(index != cipher.blindIndex("bob@example.org", context: "accounts:email"))
    let other = FieldCipher(keys: try KeyRing.generate(random: seededBytes(5)))
    #expect(index != other.blindIndex("ann@example.org", context: "accounts:email"))
  }

  @Test func `the key file is private and permanent, and opens old fields`() async throws {
    try await withTemporaryFolder { path in
      let folder = try DataFolder(path: path + "/data")
      let keys = try KeyRing.load(from: folder, random: seededBytes(3))
      let sealed = try FieldCipher(keys: keys).seal("secret", context: "c")
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.keysPath)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let again = try KeyRing.load(from: folder, random: seededBytes(4))
      #expect(try FieldCipher(keys: again).open(sealed, context: "c") == "secret")
    }
  }

  @Test func `a missing, readable or damaged key file is refused`() async throws {
    try await withTemporaryFolder { path in
      let folder = try DataFolder(path: path + "/data")
      _ = try KeyRing.load(from: folder, random: seededBytes(3))
      let content = try String(contentsOfFile: folder.keysPath, encoding: .utf8)
      chmod(folder.keysPath, 0o640)
      #expect(throws: StorageError.self) { try KeyRing.load(from: folder, random: seededBytes(4)) }
      chmod(folder.keysPath, 0o600)
      let damaged = [
        "", "{}", content.replacing("audit", with: "other"),
        content.replacing("\"version\" : 1", with: "\"version\" : 2"),
        content.replacing("blind-index", with: "fields"),
      ]
      for text in damaged {
        try Data(text.utf8).write(to: URL(filePath: folder.keysPath))
        #expect(throws: StorageError.self) {
          try KeyRing.load(from: folder, random: seededBytes(4))
        }
      }
      try FileManager.default.removeItem(atPath: folder.keysPath)
      try Data().write(to: URL(filePath: folder.databasePath))
      #expect(throws: StorageError.keysMissing(path: folder.keysPath)) {
        try KeyRing.load(from: folder, random: seededBytes(4))
      }
    }
  }

  @Test func `a random source with too few bytes is refused`() {
    #expect(throws: StorageError.self) { try KeyRing.generate { _ in [1, 2, 3] } }
  }
}
