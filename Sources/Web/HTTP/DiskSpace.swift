// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Synchronization

/// A reserve on the disk for reminders: a file that is deleted when the disk is full.
///
/// Until there is room again, writes by people are refused with 507, while reminders continue and
/// are recorded. Afterwards the file is created again.
package final class DiskSpace: Sendable {
  /// The free space and the size of a file system, in bytes.
  struct Room: Sendable {
    let free: Int64
    let total: Int64
  }

  private let short = Mutex(false)
  private static let largestReserve: Int64 = 16 << 20

  /// True if writes are refused for lack of space.
  package var isShort: Bool { short.withLock { $0 } }

  /// Returns the size of the reserve: 16 MiB, or a sixteenth of a small file system.
  static func reserve(of room: Room) -> Int64 {
    min(largestReserve, room.total / 16)
  }

  /// Returns true if writes should be refused.
  ///
  /// They are refused once less than a quarter of the reserve is free, until one and a half times
  /// the reserve is.
  static func isShort(_ room: Room, before: Bool) -> Bool {
    let reserve = reserve(of: room)
    return before ? room.free < reserve + reserve / 2 : room.free < reserve / 4
  }

  /// Deletes the reserve file of a data folder on a full disk, before anything in the folder is
  /// opened.
  package static func makeRoom(in folder: String) {
    if let room = room(of: folder), isShort(room, before: false) { unlink(folder + "/reserve") }
  }

  /// Checks the disk of a data folder, and deletes or creates the reserve file.
  ///
  /// - Returns: True if ``isShort`` has changed.
  package func look(at folder: String) -> Bool {
    guard let room = Self.room(of: folder) else { return false }
    let before = isShort
    let now = Self.isShort(room, before: before)
    let path = folder + "/reserve"
    if now {
      unlink(path)
    } else if !PrivateFile.exists(path) {
      // If there is no room, the next check tries again.
      Self.make(path, bytes: Self.reserve(of: room))
    }
    note(isShort: now)
    return before != now
  }

  /// Records whether writes are refused from now on.
  func note(isShort now: Bool) {
    short.withLock { $0 = now }
  }

  private static func room(of folder: String) -> Room? {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    let block = Int64(clamping: status.f_frsize)
    return Room(
      free: Int64(clamping: status.f_bavail).multipliedReportingOverflow(by: block).partialValue,
      total: Int64(clamping: status.f_blocks).multipliedReportingOverflow(by: block).partialValue)
  }

  private static func make(_ path: String, bytes: Int64) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let code = posix_fallocate(descriptor, 0, Int(clamping: bytes))
    close(descriptor)
    if code != 0 { unlink(path) }
  }
}
