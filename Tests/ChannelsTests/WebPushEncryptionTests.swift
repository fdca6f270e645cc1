// SPDX-License-Identifier: Apache-2.0
import Crypto
import Encodings
import Foundation
import Testing

@testable import Channels

/// The example of RFC 8291, appendix A.
private enum Example {
  static let plaintext = "When I grow up, I want to be a watermelon"
  static let auth = "BTBZMqHH6r4Tts7J_aSIgg"
  static let browserPublic =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  static let browserPrivate = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
  static let serverPrivate = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
  static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
  static let body =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
    + "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Q"
    + "ulcy4a-fN"
}

/// The browser's side of RFC 8291, only for tests.
enum TestBrowser {
  static func decrypt(
    _ body: [UInt8], privateKey: P256.KeyAgreement.PrivateKey, secret: [UInt8]
  ) throws -> [UInt8] {
    #expect(body[16..<20].elementsEqual([0, 0, 16, 0]))
    #expect(body[20] == 65)
    let sender = try P256.KeyAgreement.PublicKey(x963Representation: body[21..<86])
    let shared = try privateKey.sharedSecretFromKeyAgreement(with: sender)
    let information =
      Data("WebPush: info\0".utf8) + privateKey.publicKey.x963Representation
      + sender.x963Representation
    let inputKey = shared.hkdfDerivedSymmetricKey(
      using: SHA256.self, salt: secret, sharedInfo: information, outputByteCount: 32)
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: inputKey, salt: body[..<16],
      info: Data("Content-Encoding: aes128gcm\0".utf8), outputByteCount: 16)
    let nonce = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: inputKey, salt: body[..<16],
      info: Data("Content-Encoding: nonce\0".utf8), outputByteCount: 12)
    let box = try AES.GCM.SealedBox(combined: nonce.withUnsafeBytes { Array($0) } + body[86...])
    var record = Array(try AES.GCM.open(box, using: key))
    while record.last == 0 { record.removeLast() }
    #expect(record.popLast() == 2)
    return record
  }
}

struct WebPushEncryptionTests {
  private func bytes(_ text: String) throws -> [UInt8] {
    try #require(Base64URL.decode(padded: text))
  }

  @Test func reproducesTheExampleOfRFC8291() throws {
    let keys = try #require(PushKeys(p256dh: Example.browserPublic, auth: Example.auth))
    let ephemeral = try #require(
      WebPushEncryption.Ephemeral(
        salt: try bytes(Example.salt), privateKey: try bytes(Example.serverPrivate)))
    let body = try WebPushEncryption.encrypt(
      Array(Example.plaintext.utf8), to: keys, ephemeral: ephemeral)
    #expect(Base64URL.encode(body) == Example.body)
  }

  @Test func theTestBrowserReadsTheExample() throws {
    let key = try P256.KeyAgreement.PrivateKey(
      rawRepresentation: try bytes(Example.browserPrivate))
    let text = try TestBrowser.decrypt(
      try bytes(Example.body), privateKey: key, secret: try bytes(Example.auth))
    #expect(String(decoding: text, as: UTF8.self) == Example.plaintext)
  }

  @Test func reproducesTheExampleOfRFC8188() throws {
    // Section 3.1.
    let body = try EncryptedContent.encrypt(
      Array("I am the walrus".utf8), inputKey: try bytes("yqdlZ-tYemfogSmv7Ws5PQ"),
      salt: try bytes("I1BsxtFttlv3u_Oo94xnmw"), keyName: [])
    #expect(
      Base64URL.encode(body)
        == "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg")
  }

  @Test(arguments: [0, 1, 15, 16, 17, 1000, WebPushEncryption.maximumPlaintext])
  func aBrowserReadsWhatWasEncrypted(count: Int) throws {
    let key = P256.KeyAgreement.PrivateKey()
    let secret = Array(repeating: UInt8(7), count: 16)
    let keys = try #require(
      PushKeys(
        p256dh: Base64URL.encode(key.publicKey.x963Representation), auth: Base64URL.encode(secret)))
    let text = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let random = CountingRandom()
    let body = try WebPushEncryption.encrypt(
      text, to: keys, ephemeral: try .fresh(random: random.bytes))
    #expect(body.count == count + 103)
    #expect(body.count <= 4096)
    #expect(try TestBrowser.decrypt(body, privateKey: key, secret: secret) == text)
    // The next one shares neither salt nor key with it.
    let other = try WebPushEncryption.encrypt(
      text, to: keys, ephemeral: try .fresh(random: random.bytes))
    #expect(body[..<16] != other[..<16])
    #expect(body[21..<86] != other[21..<86])
  }

  @Test func aTextBeyondOneMessageIsRefused() throws {
    let keys = try #require(PushKeys(p256dh: Example.browserPublic, auth: Example.auth))
    let text = [UInt8](repeating: 0, count: WebPushEncryption.maximumPlaintext + 1)
    #expect(throws: WebPushEncryptionError.tooLong) {
      try WebPushEncryption.encrypt(
        text, to: keys, ephemeral: try .fresh(random: CountingRandom().bytes))
    }
  }

  @Test func refusesASourceThatGivesNoKey() {
    #expect(throws: WebPushEncryptionError.noRandomness) {
      try WebPushEncryption.Ephemeral.fresh { [UInt8](repeating: 0, count: $0) }
    }
    #expect(throws: WebPushEncryptionError.noRandomness) {
      try WebPushEncryption.Ephemeral.fresh { [UInt8](repeating: 0xFF, count: $0) }
    }
    #expect(throws: WebPushEncryptionError.noRandomness) {
      try WebPushEncryption.Ephemeral.fresh { _ in [] }
    }
  }

  @Test(arguments: ["", "=", "==", "A", "AA", "AAA=", "AA="])
  func ephemeralParts(salt: String) {
    #expect(
      WebPushEncryption.Ephemeral(
        salt: Array(salt.utf8), privateKey: [UInt8](repeating: 1, count: 32)) == nil)
  }
}

/// Bytes that never repeat and are the same in every run.
final class CountingRandom: Sendable {
  private let count = Locked(UInt64(0))

  var bytes: @Sendable (Int) -> [UInt8] {
    { wanted in
      var result: [UInt8] = []
      while result.count < wanted {
        let number = self.count.withLock { number -> UInt64 in
          number += 1
          return number
        }
        result += SHA256.hash(data: withUnsafeBytes(of: number) { Array($0) })
      }
      return Array(result.prefix(wanted))
    }
  }
}

struct PushKeysTests {
  @Test(arguments: ["", "=", "=="])
  func readsBothTextsWithAndWithoutPadding(padding: String) throws {
    let keys = PushKeys(
      p256dh: Example.browserPublic + (padding == "=" ? "=" : ""),
      auth: Example.auth + (padding == "==" ? "==" : ""))
    #expect(keys?.publicKey.count == 65)
    #expect(keys?.secret.count == 16)
    #expect(keys == PushKeys(p256dh: Example.browserPublic, auth: Example.auth))
  }

  /// The example's point with one bit of its last byte changed, and other invalid points.
  static let badPoints: [String] = {
    let good = Base64URL.decode(padded: Example.browserPublic) ?? []
    let rest = Array(good.dropFirst())
    let zeros = [UInt8](repeating: 0, count: 64)
    var beside = good
    beside[64] ^= 1
    var points: [[UInt8]] = [beside, zeros, [], Array(good.dropLast())]
    points.append([0] + zeros)
    points.append([4] + zeros)
    points.append([4] + [UInt8](repeating: 0xFF, count: 64))
    points.append([2] + rest)
    points.append([6] + rest)
    points.append(good + [0])
    points.append([2] + Array(rest.prefix(32)))
    return points.map { Base64URL.encode($0) }
  }()

  @Test(arguments: badPoints)
  func refusesWhatIsNoPointOfTheCurve(point: String) {
    #expect(PushKeys(p256dh: point, auth: Example.auth) == nil)
  }

  @Test(arguments: [
    "", "BTBZMqHH6r4Tts7J_aSI", "BTBZMqHH6r4Tts7J_aSIggAA", "BTBZMqHH6r4Tts7J/aSIgg",
    "BTBZMqHH6r4Tts7J_aSIgh", "BTBZMqHH6r4Tts7J_aSIgg=", "BTBZMqHH6r4Tts7J_aSIgg===",
    " BTBZMqHH6r4Tts7J_aSIgg", "BTBZMqHH6r4Tts7J_aSIg\u{E4}",
    String(repeating: "A", count: 1_000_000),
  ])
  func refusesAnotherSecret(auth: String) {
    #expect(PushKeys(p256dh: Example.browserPublic, auth: auth) == nil)
  }
}
