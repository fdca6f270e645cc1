// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Channels

struct MailAddressTests {
  @Test(
    arguments: [
      ("ann@example.org", "ann@example.org", nil),
      (" ann@Example.ORG ", "ann@example.org", nil),
      ("Ann.O'Neil+x@sub.example.org", "Ann.O'Neil+x@sub.example.org", nil),
      ("root@localhost", "root@localhost", nil),
      ("<ann@example.org>", "ann@example.org", nil),
      ("Ann <ann@example.org>", "ann@example.org", "Ann"),
      ("\"Smith, Ann\" <ann@example.org>", "ann@example.org", "Smith, Ann"),
      ("Åse Öğüt <ann@example.org>", "ann@example.org", "Åse Öğüt"),
      ("a@xn--bcher-kva.example", "a@xn--bcher-kva.example", nil),
    ] as [(String, String, String?)])
  func reads(text: String, mailbox: String, name: String?) {
    #expect(MailAddress(text)?.mailbox == mailbox)
    #expect(MailAddress(text)?.name == name)
  }

  @Test(arguments: [
    "", "ann", "@example.org", "ann@", "ann@@example.org", "ann@example..org", "ann@.example.org",
    "ann@example.org.", ".ann@example.org", "ann.@example.org", "a..n@example.org",
    "ann example@example.org", "ann@exa mple.org", "\"ann b\"@example.org", "ann@[127.0.0.1]",
    "ann@-example.org", "ann@example-.org", "ann@ex_ample.org", "ann@b\u{FC}cher.example",
    "\u{E5}nn@example.org", "ann@example.org, bob@example.org", "ann@example.org;bob@example.org",
    "ann(comment)@example.org", "-oQ/tmp@example.org", "|sh@example.org", "/etc/passwd@example.org",
    "ann@example.org\r\nBcc: bob@example.org", "ann\n@example.org", "ann@example.org\0",
    "Ann\r\nBcc: b@example.org <ann@example.org>", "Ann\u{2028}X <ann@example.org>",
    "Ann <ann@example.org> <bob@example.org>", "Ann <ann@example.org", "Ann ann@example.org>",
    "<>", "Ann <>", "\(String(repeating: "a", count: 65))@example.org",
    "a@\(String(repeating: "a", count: 64)).org",
    "a@\(Array(repeating: "abcdefgh", count: 40).joined(separator: "."))",
  ])
  func refuses(text: String) {
    #expect(MailAddress(text) == nil)
  }
}

/// A mail parsed by the rules of RFC 5322 and 2047, only for tests.
struct ReadMail {
  var headers: [(name: String, value: String)] = []
  var body = ""
  var lines: [String] = []

  init(_ bytes: [UInt8]) throws {
    let text = try #require(String(validating: bytes, as: UTF8.self))
    lines = text.components(separatedBy: "\r\n")
    let end = try #require(lines.firstIndex(of: ""))
    for line in lines[..<end] {
      if line.first == " " {
        let last = try #require(headers.indices.last)
        headers[last].value += line
      } else {
        let colon = try #require(line.firstIndex(of: ":"))
        headers.append(
          (String(line[..<colon]), String(line[line.index(after: colon)...].dropFirst())))
      }
    }
    body = lines[(end + 1)...].joined(separator: "\r\n")
  }

  subscript(name: String) -> String? {
    let found = headers.filter { $0.name == name }
    return found.count == 1 ? found.first?.value : nil
  }

  /// Decodes encoded words; spaces between two of them are ignored.
  static func decoded(_ value: String) throws -> String {
    let joined = value.replacing(/\?= =\?/, with: "?==?")
    return try joined.replacing(/=\?utf-8\?B\?([^?]+)\?=/) { match in
      String(decoding: try #require(Data(base64Encoded: String(match.1))), as: UTF8.self)
    }
  }

  /// Returns the parts of a multipart body, with their headers.
  func parts() throws -> [ReadMail] {
    let match = try #require(self["Content-Type"]?.firstMatch(of: /boundary="([^"]+)"/))
    let pieces = body.components(separatedBy: "--\(match.1)")
    #expect(pieces.last == "--\r\n")
    return try pieces[1..<(pieces.count - 1)].map { piece in
      try ReadMail(Array(piece.dropFirst().utf8))
    }
  }

  func content() throws -> String {
    switch self["Content-Transfer-Encoding"] {
    case "base64":
      let data = try #require(
        Data(base64Encoded: body.replacing("\r\n", with: "")))
      return String(decoding: data, as: UTF8.self)
    case "quoted-printable":
      var bytes: [UInt8] = []
      var rest = Array(body.replacing("=\r\n", with: "").utf8)[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "=") {
          let digits = String(decoding: rest.prefix(2), as: UTF8.self)
          bytes.append(try #require(UInt8(digits, radix: 16)))
          rest = rest.dropFirst(2)
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    default: throw Unreadable()
    }
  }

  struct Unreadable: Error {}
}

struct MailMessageTests {
  private func message(
    subject: String = "Time for your 08:00", text: String = "Hello", html: String? = "<p>Hello</p>",
    from: String = "Regimen <regimen@example.org>", to: String = "ann@example.org",
    messageID: String = "d1.2@example.org", headers: [MailHeader] = []
  ) throws -> MailMessage {
    MailMessage(
      from: try #require(MailAddress(from)), to: try #require(MailAddress(to)), subject: subject,
      text: text, html: html, messageID: messageID, dateSeconds: 784_111_777, headers: headers)
  }

  @Test func writesTextAndPage() throws {
    let mail = try ReadMail(try message().rendered)
    #expect(
      mail.headers.map(\.name) == [
        "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version",
        "Content-Type",
      ])
    #expect(mail["From"] == "\"Regimen\" <regimen@example.org>")
    #expect(mail["To"] == "ann@example.org")
    #expect(mail["Subject"] == "Time for your 08:00")
    #expect(mail["Date"] == "Sun, 6 Nov 1994 08:49:37 +0000")
    #expect(mail["Message-ID"] == "<d1.2@example.org>")
    #expect(mail["Auto-Submitted"] == "auto-generated")
    #expect(mail["MIME-Version"] == "1.0")
    #expect(mail["Content-Type"]?.hasPrefix("multipart/alternative;") == true)
    let parts = try mail.parts()
    #expect(
      parts.map { $0["Content-Type"] } == [
        "text/plain; charset=utf-8", "text/html; charset=utf-8",
      ])
    #expect(try parts.map { try $0.content() } == ["Hello\r\n", "<p>Hello</p>\r\n"])
  }

  @Test func withoutAPageItIsPlainText() throws {
    let mail = try ReadMail(try message(html: nil).rendered)
    #expect(mail["Content-Type"] == "text/plain; charset=utf-8")
    #expect(try mail.content() == "Hello\r\n")
  }

  @Test(arguments: [
    "", "one", "a\nb", "a\r\nb\r\n", "a\rb", "\n\n", " lead and trail \t\n", "=3D=\n", ".\n.\n..",
    "From me\nFrom you", "--=_regimen_alternative--", "Æ ø å, ß: ğüşıöç \u{1F48A}",
    "ถึงเวลากินยาของคุณแล้ว 08:00 น.",
    String(repeating: "word ", count: 400), String(repeating: "x", count: 5000),
    String(repeating: "กินยา", count: 500), String(repeating: "=", count: 200),
    String(repeating: "\u{1F48A}", count: 200), String(repeating: "aé", count: 300),
    String(repeating: "x", count: 75) + "\n", String(repeating: "x", count: 76) + " \n",
    "tab\tand\u{0}null\u{7F}",
  ])
  func anyTextArrivesAsItWas(text: String) throws {
    let rendered = try message(text: text, html: text).rendered
    let mail = try ReadMail(rendered)
    var expected = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      .replacing("\n", with: "\r\n")
    if !expected.isEmpty, !expected.hasSuffix("\r\n") { expected += "\r\n" }
    for part in try mail.parts() {
      #expect(try part.content() == expected)
    }
    #expect(rendered.allSatisfy { $0 < 0x80 && $0 != 0 })
    #expect(mail.lines.allSatisfy { $0.utf8.count <= 78 && !$0.hasSuffix(" ") })
    #expect(!mail.lines.contains { $0.hasPrefix(".") || $0.hasPrefix("From ") })
  }

  @Test(arguments: [
    "Short", "", "  two  spaces ", String(repeating: "word ", count: 60) + "end",
    String(repeating: "x", count: 200), "=?utf-8?B?SGk=?=", "a =?x?= b",
    "Zeit für 08:00", "ถึงเวลากินยาของคุณแล้ว เวลา 08:00 น. อย่าลืมดื่มน้ำให้เพียงพอนะคะ ถึงเวลากินยา",
    String(repeating: "\u{1F469}\u{200D}\u{2695}\u{FE0F}", count: 40), "ğüşıöç İstanbul'da",
  ])
  func anySubjectArrivesAsItWas(subject: String) throws {
    let rendered = try message(subject: subject).rendered
    let mail = try ReadMail(rendered)
    #expect(try ReadMail.decoded(try #require(mail["Subject"])) == subject)
    #expect(rendered.allSatisfy { $0 < 0x80 })
    #expect(mail.lines.allSatisfy { $0.utf8.count <= 78 })
    for word in try #require(mail["Subject"]).split(separator: " ") where word.hasPrefix("=?utf") {
      #expect(word.utf8.count <= 75)
    }
  }

  @Test(arguments: [
    "A\r\nBcc: evil@example.org", "A\nBcc: evil@example.org", "A\rBcc: evil@example.org",
    "A\r\n\r\nBcc: evil@example.org", "A\u{85}Bcc: evil@example.org",
    "A\u{2028}Bcc: evil@example.org", "A\u{0B}Bcc: evil@example.org", "\r\nBcc: evil@example.org",
    "Å\r\nBcc: evil@example.org", "A\r\n Bcc: evil@example.org", "A\0\r\nBcc: evil@example.org",
  ])
  func aSubjectCannotBecomeAHeader(subject: String) throws {
    let mail = try ReadMail(try message(subject: subject).rendered)
    #expect(mail.headers.count == 8)
    #expect(!mail.lines.contains { $0.lowercased().hasPrefix("bcc") })
    let value = try ReadMail.decoded(try #require(mail["Subject"]))
    #expect(value.hasSuffix("Bcc: evil@example.org"))
    #expect(!value.unicodeScalars.contains { $0.isLineBreakOrControl })
  }

  @Test(
    arguments: [
      ("Smith, Ann", "\"Smith, Ann\" <a@example.org>"),
      ("O\\Neil", "\"O\\\\Neil\" <a@example.org>"),
      ("Ann (RN); <x", nil),
      ("Åse", "=?utf-8?B?w4VzZQ==?= <a@example.org>"),
      ("=?utf-8?B?SGk=?=", "=?utf-8?B?PT91dGYtOD9CP1NHaz0/PQ==?= <a@example.org>"),
    ] as [(String, String?)])
  func aNameIsQuotedOrEncoded(name: String, written: String?) throws {
    guard let address = MailAddress("\(name) <a@example.org>") else {
      #expect(written == nil)
      return
    }
    var message = try message()
    message.to = address
    let mail = try ReadMail(message.rendered)
    #expect(mail["To"] == written)
  }

  @Test(arguments: [200, 400])
  func aLongNameIsFolded(count: Int) throws {
    let name = String(repeating: "ok ", count: count / 3)
    let mail = try ReadMail(try message(to: "\(name) <ann@example.org>").rendered)
    let value = try ReadMail.decoded(try #require(mail["To"]))
    #expect(value == "\(name.trimmingCharacters(in: .whitespaces)) <ann@example.org>")
    #expect(mail.lines.allSatisfy { $0.utf8.count <= 78 })
  }

  @Test(
    arguments: [
      ("<a@b.example>", "<a@b.example>"), ("a@b.example", "<a@b.example>"),
      ("a>\r\nBcc: x@y", "<aBccx@y>"), ("a@b\r\nBcc: x", "<a@bBccx>"), ("", nil), ("a", nil),
      ("@b", nil),
      ("ü@b", nil),
    ] as [(String, String?)])
  func aMessageIdentifierKeepsToItsLine(identifier: String, written: String?) throws {
    let mail = try ReadMail(try message(messageID: identifier).rendered)
    #expect(mail["Message-ID"] == written)
    #expect(!mail.lines.contains { $0.hasPrefix("Bcc") })
  }

  @Test func ownHeadersAreWritten() throws {
    let header = try #require(
      MailHeader(name: "List-Unsubscribe", value: "<https://example.org/u?\(UInt64.max)>"))
    let long = try #require(
      MailHeader(name: "X-Reminder", value: String(repeating: "blå ", count: 50) + "."))
    let mail = try ReadMail(try message(headers: [header, long]).rendered)
    #expect(mail["List-Unsubscribe"] == header.value)
    #expect(try ReadMail.decoded(try #require(mail["X-Reminder"])) == long.value)
    #expect(mail.lines.allSatisfy { $0.utf8.count <= 78 })
  }

  @Test(arguments: [
    ("", "a"), ("X", ""), ("X Y", "a"), ("X:", "a"), ("X\r\nBcc", "a"), ("X", "a\r\nBcc: b"),
    ("X", "a\nb"), ("X", "a\0"), ("Bcc", "a"), ("bCC", "a"), ("TO", "a"), ("Content-Type", "a"),
    ("Resent-To", "a"), ("Sender", "a"), ("\u{DC}ber", "a"),
    (String(repeating: "X", count: 41), "a"),
  ])
  func ownHeadersThatDoHarmAreRefused(name: String, value: String) {
    #expect(MailHeader(name: name, value: value) == nil)
  }

  @Test func aProgramGetsTheLineEndsOfThisSystem() throws {
    let message = try message(text: "a\r\nb")
    #expect(!message.renderedForProgram.contains(UInt8(ascii: "\r")))
    #expect(
      String(decoding: message.renderedForProgram, as: UTF8.self).replacing("\n", with: "\r\n")
        == String(decoding: message.rendered, as: UTF8.self))
  }
}
