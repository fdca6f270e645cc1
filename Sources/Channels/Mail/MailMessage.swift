// SPDX-License-Identifier: Apache-2.0

/// A mail with a text and optionally the same as an HTML page (RFC 5322, RFC 2046).
package struct MailMessage: Sendable {
  /// The sender's mailbox.
  package var from: MailAddress
  /// The recipient's mailbox; a message has only one.
  package var to: MailAddress
  /// The subject, in any language.
  package var subject: String
  /// The text for programs that show no HTML.
  package var text: String
  /// The same as an HTML page; nil for a mail of text only.
  package var html: String?
  /// The permanent identifier of the message, `left@right`, with or without angle brackets; an
  /// unusable one is left out.
  package var messageID: String
  /// The date of the message, in seconds since 1970.
  package var dateSeconds: Int64
  /// The additional header fields, in order.
  package var headers: [MailHeader]
  /// The address to which one POST turns further messages off (RFC 2369, RFC 8058); nil for none.
  package var unsubscribe: String?

  /// Creates a message without an address for unsubscribing.
  package init(
    from: MailAddress, to: MailAddress, subject: String, text: String, html: String? = nil,
    messageID: String, dateSeconds: Int64, headers: [MailHeader] = []
  ) {
    self.from = from
    self.to = to
    self.subject = subject
    self.text = text
    self.html = html
    self.messageID = messageID
    self.dateSeconds = dateSeconds
    self.headers = headers
  }

  /// The boundary; encoded parts cannot contain it, because `=_` occurs in neither quoted-printable nor
  /// Base64.
  private static let boundary = "=_regimen_alternative"

  /// The message with CRLF line ends, as it is transmitted.
  package var rendered: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(1024 + text.utf8.count * 2 + (html?.utf8.count ?? 0) * 2)
    result += HeaderField.address("From", from)
    result += HeaderField.address("To", to)
    result += HeaderField.text("Subject", subject)
    result += HeaderField.folded("Date", [InternetDate.mailText(seconds: dateSeconds)])
    if let identifier { result += HeaderField.folded("Message-ID", ["<\(identifier)>"]) }
    for header in headers { result += HeaderField.text(header.name, header.value) }
    if let unsubscribe, let field = HeaderField.link("List-Unsubscribe", unsubscribe) {
      result += field
      result += HeaderField.folded("List-Unsubscribe-Post", ["List-Unsubscribe=One-Click"])
    }
    // Keeps auto-responders from replying (RFC 3834).
    result += HeaderField.folded("Auto-Submitted", ["auto-generated"])
    result += HeaderField.folded("MIME-Version", ["1.0"])
    if let html {
      let type = ["multipart/alternative;", "boundary=\"\(Self.boundary)\""]
      result += HeaderField.folded("Content-Type", type)
      result += "\r\n--\(Self.boundary)\r\n".utf8
      result += MailPart(type: "text/plain", text: text).rendered
      result += "--\(Self.boundary)\r\n".utf8
      result += MailPart(type: "text/html", text: html).rendered
      result += "--\(Self.boundary)--\r\n".utf8
    } else {
      result += MailPart(type: "text/plain", text: text).rendered
    }
    return result
  }

  /// The message with the line ends of this system, as mail programs read it on standard input.
  var renderedForProgram: [UInt8] {
    // Encoded content has no CR of its own.
    rendered.filter { $0 != UInt8(ascii: "\r") }
  }

  /// The identifier without characters that could end it or its line; nil if nothing usable is left.
  private var identifier: String? {
    let kept = messageID.utf8.filter { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: ".@-_+=".utf8.contains(byte)
      }
    }
    let text = String(decoding: kept.prefix(200), as: UTF8.self)
    let halves = text.split(separator: "@", omittingEmptySubsequences: false)
    return halves.count == 2 && halves.allSatisfy { !$0.isEmpty } ? text : nil
  }
}
