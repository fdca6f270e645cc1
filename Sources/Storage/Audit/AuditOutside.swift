// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// The places for anchors of the audit chain outside the data folder.
package struct AuditOutside: Sendable {
  /// The path of a file to append lines to, best on another machine.
  package var file: String?
  /// The address of a system log that receives each line.
  package var systemLog: SystemLogAddress?
  /// The path of a file with lines collected elsewhere, for a single check.
  package var collected: String?

  /// Creates the places; without any, no anchors are written outside the data folder.
  package init(file: String? = nil, systemLog: SystemLogAddress? = nil) {
    self.file = file
    self.systemLog = systemLog
  }
}

/// Writes anchors to the outside places on a separate queue, so that an unresponsive network drive
/// delays neither a commit nor the files in the data folder.
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

  /// Returns the heads in the outside file.
  func read() -> AuditAnchorTrail.Content { trail?.read() ?? AuditAnchorTrail.Content() }

  /// Publishes a head; skips it if the previous one is still being written.
  func publish(_ head: AuditHead, failed: @escaping @Sendable (StorageError) -> Void) {
    guard !isEmpty, !isBusy.withLock({ busy in (busy, busy = true).0 }) else { return }
    queue.async { [self] in
      defer { isBusy.withLock { $0 = false } }
      // Independent of the file: if it cannot be written, the system log still works.
      do throws(StorageError) {
        try trail?.append(head)
      } catch {
        failed(error)
      }
      do throws(StorageError) {
        try systemLog?.send("audit anchor \(sealing.line(head))")
      } catch {
        failed(error)
      }
    }
  }
}
