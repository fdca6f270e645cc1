// SPDX-License-Identifier: Apache-2.0
import Encodings
import Foundation

/// The heads of a node's chain in an append-only file, at most one a minute.
///
/// ``AuditAnchor`` is replaced as the chain grows, so someone could restore an earlier genuine one together
/// with an earlier database. Lines of this file are never changed. An operator can set the system's
/// append-only flag on it or copy it elsewhere, which exposes anyone who restores the rest.
struct AuditAnchorTrail: Sendable {
  /// The minimum age difference of appended heads, in milliseconds.
  static let interval: Int64 = 60_000
  /// The number of bytes read from the end of a long file: about 100,000 lines.
  private static let longest = 20 << 20
  let path: String
  let seal: AuditSeal
  let node: String

  /// The content of the file.
  struct Content: Sendable, Equatable {
    /// The heads in the order in which they were written.
    var heads: [AuditHead] = []
    /// The number of complete lines that this installation did not write.
    var forged = 0
  }

  /// Returns a head as one sealed line.
  func line(_ head: AuditHead) -> String {
    let mac = seal.mac(.trail, node: node, head)
    let fields = [
      "\(head.sequence)", Hexadecimal.encode(head.hash), Hexadecimal.encode(mac), seal.currentKeyID,
    ]
    return fields.joined(separator: " ")
  }

  /// Appends a head in one call, so that its line is written in full or not at all.
  func append(_ head: AuditHead) throws(StorageError) {
    // Start a new line if a power loss cut off the previous one.
    let isTorn = try !Self.endsWithNewline(path)
    let line = (isTorn ? "\n" : "") + line(head) + "\n"
    try PrivateFile.append(Data(line.utf8), to: path)
  }

  /// Returns the genuine heads; an incomplete line is ignored.
  func read() -> Content {
    var content = Content()
    guard let data = try? PrivateFile.end(of: path, atMost: Self.longest) else { return content }
    for line in data.split(separator: UInt8(ascii: "\n")) {
      // If collected elsewhere, other fields may come first, such as the time in a system log.
      let fields = String(decoding: line, as: UTF8.self).split(separator: " ").suffix(4)
        .map { $0.trimmingPrefix { $0 == "\u{0}" } }
      guard fields.count == 4, let sequence = Int64(fields[0]),
        let hash = Self.bytes(fields[1]), let mac = Self.bytes(fields[2])
      else { continue }
      let head = AuditHead(sequence: sequence, hash: hash)
      if seal.isValid(mac, .trail, node: node, head, keyID: String(fields[3])) {
        content.heads.append(head)
      } else {
        content.forged += 1
      }
    }
    return content
  }

  private static func endsWithNewline(_ path: String) throws(StorageError) -> Bool {
    guard PrivateFile.exists(path) else { return true }
    let end = try PrivateFile.end(of: path, atMost: 1)
    return end.isEmpty || end.first == UInt8(ascii: "\n")
  }

  /// Reads a hash of 32 bytes; nil for any other text.
  private static func bytes(_ text: Substring) -> [UInt8]? {
    text.utf8.count == 64 ? Hexadecimal.decode(String(text)) : nil
  }
}

/// Everything stored outside the database about a node's chain, as it was found.
struct AuditEvidence: Sendable {
  let node: String
  var anchor: AuditAnchor.Content = .absent
  var trail = AuditAnchorTrail.Content()
  /// The heads kept outside the data folder.
  var outside = AuditAnchorTrail.Content()
  var hasConflict = false
  /// True if the data folder must contain the anchor files.
  var isExpected = false

  /// The genuine head that is furthest along the chain.
  var furthest: AuditHead? {
    var heads = trail.heads + outside.heads
    if case .head(let head) = anchor { heads.append(head) }
    return heads.max { $0.sequence < $1.sequence }
  }

  /// True if there are no anchors.
  var isEmpty: Bool {
    anchor == .absent && trail == AuditAnchorTrail.Content()
      && outside == AuditAnchorTrail.Content() && !hasConflict
  }

  /// True if a required anchor file was removed or emptied.
  var isMissing: Bool {
    isExpected && (anchor == .absent || (trail.heads.isEmpty && trail.forged == 0))
  }

  /// The number of files and lines that this installation did not write.
  var forged: Int { trail.forged + outside.forged + (anchor == .forged ? 1 : 0) }
}
