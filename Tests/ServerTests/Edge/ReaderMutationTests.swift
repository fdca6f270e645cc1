// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import Identifiers
import Localization
import Outbound
import Storage
import Testing
import TestSupport

@testable import Prescriptions
@testable import Web

/// Mutated input from strangers: each reader returns a value or a typed error, and never traps.
@Suite struct ReaderMutationTests {
  static let seeds: [UInt64] = [1, 2, 3]

  @Test(arguments: seeds)
  func `JSON is parsed into a value that reads back, or refused`(seed: UInt64) throws {
    var values = 0
    try CorpusFile.run(
      "json", fragments: ["[[[[", "1e999", "\\u0000", "\\ud800", "\"a\":1,", "-", "0x1", "//"],
      marks: "{}[]\":,", seed: seed
    ) { bytes in
      guard let value = try? JSONValue(parsing: bytes) else { return }
      #expect((try? JSONValue(parsing: value.bytes)) == value)
      values += 1
    }
    #expect(values > 100)
  }

  @Test(arguments: seeds)
  func `forms and queries parse as pairs whatever they contain`(seed: UInt64) throws {
    try CorpusFile.run(
      "forms", fragments: ["%", "%2", "%00", "&&", "==", "+", "%F0%9F", "%u0041"], marks: "&=%+",
      seed: seed
    ) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      let form = FormBody(pairs: FormBody.pairs(of: text))
      #expect(form.pairs.count <= text.utf8.count + 1)
      for pair in form.pairs {
        #expect(form.all(pair.name).contains(pair.value))
        _ = (form.text(pair.name), form.isChecked(pair.name))
      }
      #expect(SearchQueryParser.parse(query: text).count <= text.utf8.count + 1)
    }
  }

  @Test(arguments: seeds)
  func `a cookie has one value or none`(seed: UInt64) throws {
    try CorpusFile.run(
      "cookies", fragments: ["regimen=", "; ", ";;", "=", "\"", "__Host-", "regimen"],
      marks: ";= ", seed: seed
    ) { bytes in
      var headers: HTTPFields = [:]
      headers[values: .cookie] = [String(decoding: bytes, as: UTF8.self)]
      for name in ["regimen", "__Host-regimen", Preferences.languageCookie] {
        let value = Cookies.value(of: name, in: headers)
        #expect(value?.contains(";") != true)
      }
    }
  }

  @Test(arguments: seeds)
  func `headers for languages, hosts and clients`(seed: UInt64) throws {
    let proxies = TrustedProxies([NetworkRange("10.0.0.0/8")].compactMap(\.self))
    try CorpusFile.run(
      "headers", fragments: ["q=", ";", ",,", "[", "]:", "::", "1e9", "nan", "\t"],
      marks: ",;=.:[", seed: seed
    ) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = Language.negotiate(acceptLanguage: text)
      _ = (StrictTransport.fits(authority: text), HomeNames.hostName(text))
      let headers: HTTPFields = [.xForwardedFor: text, .xForwardedProto: text]
      let peer = NetworkAddress("10.0.0.9")
      #expect(proxies.client(headers, peer: peer) != nil)
      _ = proxies.sayHTTPS(headers, peer: peer)
      #expect(Secret(text: text).digest.count == 32)
    }
  }

  @Test(arguments: seeds)
  func `addresses, ranges and host rules`(seed: UInt64) throws {
    let policy = OutboundPolicy(
      allowed: [HostRule("*.push.apple.com"), HostRule("push.example.org")].compactMap(\.self),
      operatorAllowed: [])
    try CorpusFile.run(
      "addresses", fragments: ["//", "@", "%", "%zz", ":0", ":99999", "..", "[", "\\", "#", "/33"],
      marks: ":/.@[]%", seed: seed
    ) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      if let url = try? policy.check(text) {
        #expect(url.origin.hasPrefix("https://"))
        #expect((try? policy.check(url.text)) == url)
      }
      if let range = NetworkRange(text) { #expect(range.contains(range.first)) }
      if let address = NetworkAddress(text) { #expect(NetworkAddress(address.text) == address) }
      _ = (HostRule(text), InvitationCode(typed: text))
      if let path = LocalPath.checked(text) {
        #expect(path.hasPrefix("/") && !path.hasPrefix("//"))
      }
    }
  }

  @Test(arguments: seeds)
  func `files with prescriptions, in pieces of any size`(seed: UInt64) throws {
    var sizes = SeededGenerator(seed: seed &+ 100)
    try CorpusFile.run(
      "documents",
      fragments: ["{", "}", "]", "\"resource\":", "\"entry\":[", "\\", "\u{1E}", "PK", "<"],
      marks: "{}[]\":,\n", seed: seed
    ) { bytes in
      for name in ["plan.json", "plan.ndjson", ""] {
        var reader = ImportFileReader(fileName: name)
        var rest = bytes[...]
        while !rest.isEmpty {
          let size = Int.random(in: 1...64, using: &sizes)
          reader.append(Array(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
        _ = reader.finish()
        #expect(reader.entryCount <= bytes.count)
      }
    }
  }

  @Test(arguments: seeds)
  func `a form with a file, in pieces of any size`(seed: UInt64) throws {
    var sizes = SeededGenerator(seed: seed &+ 200)
    try CorpusFile.run(
      "multipart", fragments: ["--b", "--b--", "\r\n\r\n", "name=\"", "\"", ";", "filename="],
      marks: "-\r\n\";", lineEnd: "\r\n", seed: seed
    ) { bytes in
      guard var reader = MultipartReader(contentType: "multipart/form-data; boundary=b") else {
        Issue.record("The boundary is one.")
        return
      }
      var content = 0
      var rest = bytes[...]
      do throws(MultipartReader.Malformed) {
        while !rest.isEmpty {
          let size = Int.random(in: 1...64, using: &sizes)
          for case .bytes(let piece) in try reader.append(rest.prefix(size)) {
            content += piece.count
          }
          rest = rest.dropFirst(size)
        }
      } catch {
        #expect(!reader.isFinished)
      }
      #expect(content <= bytes.count)
      _ = MultipartReader(contentType: String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test(arguments: seeds)
  func `a changed sealed field can't be opened`(seed: UInt64) throws {
    let keys = try KeyRing.generate { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
    let cipher = FieldCipher(keys: keys)
    let sealed = try cipher.seal("ann@example.org", context: "accounts:email:1")
    let mutator = Mutator(fragments: ["\u{1}", "\u{1}\u{c}"], marks: "\u{0}")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let bytes = mutator.mutate(sealed, with: &generator)
      let text = try? cipher.open(bytes, context: "accounts:email:1")
      #expect(text == (bytes == sealed ? "ann@example.org" : nil))
    }
  }
}
