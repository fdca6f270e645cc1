// SPDX-License-Identifier: Apache-2.0

/// A mailbox that mail can be sent to or from, with or without a name: `Ann <ann@example.org>`.
package struct MailAddress: Sendable, Hashable {
  /// `ann@example.org`: the part before the at sign as given, the domain in lower case.
  package let mailbox: String
  /// The display name; nil if there is none.
  package let name: String?

  /// Creates an address from text; nil unless every mail program accepts it.
  ///
  /// It must have the dot-atom form of RFC 5322 in ASCII. Quoted and address-literal forms, comments, lists,
  /// line breaks, and a first character that a mail program might take for an option, a pipe or a file are
  /// rejected.
  package init?(_ text: String) {
    guard text.utf8.count <= 512, !text.unicodeScalars.contains(where: \.isLineBreakOrControl)
    else { return nil }
    if text.utf8.last == UInt8(ascii: ">"), let start = text.lastIndex(of: "<") {
      let name = text[..<start].trimmingBlanks.unquoted
      guard !name.contains(where: { "<>\"".contains($0) }) else { return nil }
      self.init(mailbox: text[text.index(after: start)...].dropLast(), name: name)
    } else {
      self.init(mailbox: text[...].trimmingBlanks, name: "")
    }
  }

  private init?(mailbox: Substring, name: String) {
    guard mailbox.utf8.count <= 254, let at = mailbox.lastIndex(of: "@") else { return nil }
    let local = mailbox[..<at]
    guard (1...64).contains(local.utf8.count), local.utf8.allSatisfy(Self.isLocal),
      !local.hasPrefix("."), !local.hasSuffix("."), !local.contains(".."),
      let first = local.utf8.first, !"-|/".utf8.contains(first),
      let domain = Self.domain(mailbox[mailbox.index(after: at)...])
    else { return nil }
    self.mailbox = "\(local)@\(domain)"
    self.name = name.isEmpty ? nil : name
  }

  private static func isLocal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: ".!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }
  }

  private static func domain(_ text: Substring) -> String? {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard !labels.isEmpty, text.utf8.count <= 253,
      labels.allSatisfy({ label in
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.utf8.allSatisfy { byte in
            isLocal(byte) && !"!#$%&'*+/=?^_`{|}~.".utf8.contains(byte)
          }
      })
    else { return nil }
    return text.lowercased()
  }
}

extension Unicode.Scalar {
  /// True for C0 and C1 controls, delete, and the separators that some readers treat as line ends.
  var isLineBreakOrControl: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
  }
}

extension Substring {
  var trimmingBlanks: Substring {
    var result = drop { $0 == " " || $0 == "\t" }
    while let last = result.last, last == " " || last == "\t" { result.removeLast() }
    return result
  }

  /// The name without quotes around it.
  fileprivate var unquoted: String {
    guard count >= 2, hasPrefix("\""), hasSuffix("\"") else { return String(self) }
    return String(dropFirst().dropLast())
  }
}
