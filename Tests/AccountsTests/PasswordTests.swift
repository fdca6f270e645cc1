// SPDX-License-Identifier: Apache-2.0

import Encodings
import Storage
import Testing

@testable import Accounts

@Suite struct PasswordTests {
  @Test func `a hash matches its own password only`() throws {
    let hash = try PasswordHash(
      password: "seven green bicycles", salt: Array(repeating: 7, count: 16),
      cost: AccountFixtures.cheap)
    #expect(try hash.matches("seven green bicycles"))
    #expect(try !hash.matches("seven green bicycle"))
    #expect(try !hash.matches(""))
  }

  @Test func `a composed and a decomposed letter are the same password`() throws {
    let hash = try PasswordHash(
      password: "caf\u{E9} au lait gr\u{FC}n", salt: Array(repeating: 1, count: 16),
      cost: AccountFixtures.cheap)
    #expect(try hash.matches("cafe\u{301} au lait gru\u{308}n"))
  }

  @Test func `the stored form includes its cost and reads back`() throws {
    let hash = try PasswordHash(
      password: "seven green bicycles", salt: Array(0..<16), cost: AccountFixtures.cheap)
    #expect(hash.stored.hasPrefix("$scrypt$ln=10,r=8,p=1$"))
    #expect(PasswordHash(stored: hash.stored) == hash)
    #expect(PasswordCost.standard.logarithm == 17)
    #expect(PasswordCost.standard.memory == 128 << 20)
  }

  @Test(arguments: [
    "", "plain", "$scrypt$", "$scrypt$ln=99,r=8,p=1$AAAA$AAAA", "$argon2id$v=19$AAAA$AAAA",
    "$scrypt$ln=10,r=8,p=1$AAAA$AAAA",
  ])
  func `malformed stored hashes are refused`(text: String) {
    #expect(PasswordHash(stored: text) == nil)
  }

  @Test func `scrypt matches the vectors of RFC 7914`() throws {
    // RFC 7914 section 12, second vector, truncated to the 32 bytes that are stored.
    let hash = try PasswordHash(
      password: "password", salt: Array("NaCl".utf8),
      cost: PasswordCost(logarithm: 10, blockSize: 8, parallelism: 16))
    #expect(
      Hexadecimal.encode(hash.derived)
        == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")
  }

  @Test(arguments: ["trustno1", "1qaz2wsx", "Superman", "12345678", "STARWARS", "internet"])
  func `common passwords are refused, with a second factor too`(password: String) {
    #expect(throws: AccountError.passwordCommon) {
      try PasswordRules(minimum: 8).check(password, context: [])
    }
  }

  @Test(arguments: ["trustno1 for tea", "kx8-pqwz", "blaue Fahrräder", "superman likes soup"])
  func `a password that only contains a common one is accepted`(password: String) throws {
    try PasswordRules(minimum: 8).check(password, context: [])
  }

  @Test(arguments: [
    ("short", AccountError.passwordTooShort(minimum: 15)),
    ("fourteen chars", .passwordTooShort(minimum: 15)),
    (String(repeating: "ab", count: 200), .passwordTooLong(maximum: 256)),
    ("aaaaaaaaaaaaaaaaaaaa", .passwordCommon),
    ("Password1234567", .passwordCommon),
    ("qwertyqwerty!!2026", .passwordCommon),
    ("1234567890123456", .passwordCommon),
    ("regimenregimenregimen", .passwordContainsContext),
    ("ann@example.org!!!!", .passwordContainsContext),
  ])
  func `weak passwords are refused with a reason`(password: String, error: AccountError) {
    #expect(throws: error) {
      try PasswordRules().check(password, context: ["ann@example.org", "regimen"])
    }
  }

  @Test func `a long phrase in any script is accepted`() throws {
    try PasswordRules().check("ฉันกินยาทุกเช้าเย็นนะ", context: ["ann@example.org"])
    try PasswordRules().check(String(repeating: "grün wie Gras ", count: 18), context: [])
  }
}
