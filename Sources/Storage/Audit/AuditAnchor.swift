// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The head of a node's chain in a file next to the database.
///
/// The file is written and synced after a commit, so it is never ahead of the database unless rows were
/// removed. It exists from the first start on: if it is missing although there is data, someone removed it. A
/// mismatch found when opening is recorded in a second file, which stays until an operator removes it: the
/// chain continues, but the evidence is not overwritten.
struct AuditAnchor: Sendable {
  let path: String
  let seal: AuditSeal
  let node: String
  /// The file of earlier heads.
  let trail: AuditAnchorTrail

  private struct File: Codable {
    let node: String
    let sequence: Int64
    let hash: Data
    let mac: Data
    let keyID: String
  }

  enum Content: Sendable, Equatable {
    /// There is no file: this is a first start, or someone removed it.
    case absent
    case head(AuditHead)
    /// The file was not written by this installation.
    case forged
  }

  var conflictPath: String { path + ".conflict" }

  init(path: String, trailPath: String, seal: AuditSeal, node: String) {
    self.path = path
    self.seal = seal
    self.node = node
    trail = AuditAnchorTrail(path: trailPath, seal: seal, node: node)
  }

  /// The current content of all anchor files.
  var evidence: AuditEvidence {
    AuditEvidence(node: node, anchor: read(), trail: trail.read(), hasConflict: hasConflict)
  }

  func read() -> Content {
    guard PrivateFile.exists(path) else { return .absent }
    guard let data = try? PrivateFile.read(path),
      let file = try? JSONDecoder().decode(File.self, from: data), file.node == node
    else { return .forged }
    let head = AuditHead(sequence: file.sequence, hash: Array(file.hash))
    let isValid = seal.isValid(Array(file.mac), .file, node: node, head, keyID: file.keyID)
    return isValid ? .head(head) : .forged
  }

  /// The key that the file names, whether or not its seal is right; nil if there is no readable file.
  var keyID: String? {
    guard let data = try? PrivateFile.read(path) else { return nil }
    return (try? JSONDecoder().decode(File.self, from: data))?.keyID
  }

  /// Creates the missing files and syncs them to disk before anything is committed.
  func begin() throws(StorageError) {
    if read() == .absent { try write(.start) }
    if !PrivateFile.exists(trail.path) {
      try trail.append(.start)
      PrivateFile.sync(trail.path)
    }
  }

  /// Writes the head; after a power loss, the file contains either the old head or the new one.
  func write(_ head: AuditHead) throws(StorageError) {
    let file = File(
      node: node, sequence: head.sequence, hash: Data(head.hash),
      mac: Data(seal.mac(.file, node: node, head)), keyID: seal.currentKeyID)
    guard let content = try? JSONEncoder().encode(file) else {
      throw .file(path: path, code: EINVAL)
    }
    try PrivateFile.replace(path, with: content, synced: true)
  }

  /// Records a mismatch; an earlier one is kept.
  func recordConflict(_ reason: String) throws(StorageError) {
    guard !PrivateFile.exists(conflictPath) else { return }
    var content = Data("\(reason)\n".utf8)
    if let anchor = try? PrivateFile.read(path) { content += anchor }
    try PrivateFile.replace(conflictPath, with: content, synced: true)
  }

  var hasConflict: Bool { PrivateFile.exists(conflictPath) }
}
