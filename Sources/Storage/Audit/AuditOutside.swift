// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Where anchors of the audit chain are kept outside of the data folder.
package struct AuditOutside: Sendable {
  /// A file that lines are appended to, best on another machine.
  package var file: String?
  /// A system log that receives each line.
  package var systemLog: SystemLogAddress?
  /// Lines that were collected elsewhere, for a single check.
  package var collected: String?

  package init(file: String? = nil, systemLog: SystemLogAddress? = nil) {
    self.file = file
    self.systemLog = systemLog
  }
}

/// Hands anchors to the places outside, on a queue of its own: a network drive that does not answer holds up
/// neither a commit nor the files in the data folder.
final class AuditOutsideWriter: Sendable {
  private let trail: AuditAnchorTrail?
  private let systemLog: SystemLogAddress?
  private let sealing: AuditAnchorTrail
  private let isBusy = Mutex(false)
  private let queue = DispatchQueue(label: "regimen.audit-outside")

  init(_ outside: AuditOutside, seal: AuditSeal, node: String) {
    sealing = AuditAnchorTrail(path: outside.file ?? "", seal: seal, node: node)
    trail = outside.file == nil ? nil : sealing
    systemLog = outside.systemLog
  }

  var isEmpty: Bool { trail == nil && systemLog == nil }

  /// The lines of the file outside.
  func read() -> AuditAnchorTrail.Content { trail?.read() ?? AuditAnchorTrail.Content() }

  /// Publishes a head; a head is left out while the one before is still on its way.
  func publish(_ head: AuditHead, failed: @escaping @Sendable (StorageError) -> Void) {
    guard !isEmpty, !isBusy.withLock({ busy in (busy, busy = true).0 }) else { return }
    queue.async { [self] in
      defer { isBusy.withLock { $0 = false } }
      do throws(StorageError) {
        try trail?.append(head)
        try systemLog?.send("audit anchor \(sealing.line(head))")
      } catch {
        failed(error)
      }
    }
  }
}
