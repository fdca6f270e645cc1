// SPDX-License-Identifier: Apache-2.0

import Encodings
import Testing

struct EncodingTests {
  @Test(arguments: [
    ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
    ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy", "Zm9vYmFy"), ("\u{FB}\u{FF}?", "w7vDvz8=", "w7vDvz8"),
  ])
  func `base64 matches the vectors of RFC 4648`(text: String, standard: String, url: String) {
    #expect(Base64.encode(text.utf8) == standard)
    #expect(Base64URL.encode(text.utf8) == url)
    #expect(Base64URL.decode(url) == Array(text.utf8))
    #expect(Base64URL.decode(padded: url) == Array(text.utf8))
    #expect(Base64URL.decode(padded: standard) == Array(text.utf8))
    #expect(standard == url || Base64URL.decode(standard) == nil)
  }

  @Test func `both alphabets differ in two digits`() {
    #expect(Base64.encode([0xFB, 0xFF, 0x01, 0x02]) == "+/8BAg==")
    #expect(Base64URL.encode([0xFB, 0xFF, 0x01, 0x02]) == "-_8BAg")
  }

  @Test func `base64url has only one spelling`() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
  }

  @Test(arguments: [
    "A", "AB", "AAB", "AAAAA", "A A", "AA+", "AA/", "é", "Zh", "Zm9vY", "Zm9v ", "Z g", "+/+/",
    "Zg\n", "Zg=", "Zg===", "Zm9=", "=", "====",
  ])
  func `other spellings are refused, with padding or without`(text: String) {
    #expect(Base64URL.decode(text) == nil)
    #expect(Base64URL.decode(padded: text) == nil)
  }

  @Test func `hexadecimal is read as it is written`() {
    #expect(Hexadecimal.encode([0, 15, 255]) == "000fff")
    #expect(Hexadecimal.decode("000fff") == [0, 15, 255])
    #expect(Hexadecimal.decode("") == [])
    for text in ["0", "0G", "AB", " 0", "+f"] {
      #expect(Hexadecimal.decode(text) == nil, "\(text)")
    }
  }

  @Test func `everything but unreserved characters is percent-encoded`() {
    #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
    #expect(PercentEncoding.encode("a b+c&d=é\n%") == "a%20b%2Bc%26d%3D%C3%A9%0A%25")
    #expect(PercentEncoding.encode("/a:b,c?", keeping: "/:,") == "/a:b,c%3F")
  }

  @Test(arguments: [
    ("", ""), ("aé", "aé"), ("a%20b", "a b"), ("a+b", "a+b"), ("%C3%A9%0a", "é\n"),
    ("%25zz", "%zz"),
  ])
  func `percent sequences are decoded`(text: String, decoded: String) {
    #expect(PercentEncoding.decode(text[...]) == decoded)
  }

  @Test func `a plus sign is a space in forms only`() {
    #expect(PercentEncoding.decode("a+b%2B", readingPlus: true) == "a b+")
    #expect(PercentEncoding.decode("a+b%2B") == "a+b+")
  }

  @Test(arguments: ["%", "a%2", "%zz", "%2g", "%C3", "%FF", "%+1"])
  func `a malformed percent sequence is not decoded`(text: String) {
    #expect(PercentEncoding.decode(text[...]) == nil)
  }

  @Test func `forms join encoded pairs`() {
    #expect(FormEncoding.encode([]) == "")
    #expect(FormEncoding.encode([("a", "1 2"), ("b&", "=/")]) == "a=1%202&b%26=%3D%2F")
    #expect(FormEncoding.encode([("a", "/x:")], keeping: "/:,") == "a=/x:")
  }
}
