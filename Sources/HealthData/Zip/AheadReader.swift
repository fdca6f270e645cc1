// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Reads another source on its own thread, a few chunks ahead, so that unpacking and reading run in parallel.
final class AheadReader: ByteSource {
  private let ring: Ring
  private var taken = 0
  private var current: (piece: Int, count: Int)?
  private var isAtEnd = false

  init(_ makeSource: @escaping @Sendable () throws(HealthFileError) -> any ByteSource) {
    let ring = Ring()
    self.ring = ring
    let thread = Thread {
      var failure: HealthFileError?
      do throws(HealthFileError) {
        let source = try makeSource()
        while let piece = ring.waitForRoom() {
          let count = try source.read(into: ring.pieces[piece])
          ring.put(count, isWhole: (source as? ZipStream)?.isWhole ?? true)
          if count == 0 { return }
        }
      } catch {
        failure = error
      }
      if let failure { ring.fail(failure) }
    }
    thread.name = "unpack"
    thread.start()
  }

  deinit { ring.stop() }

  /// True if all data matches the archive's directory; known at the end.
  var isWhole: Bool { ring.isWhole }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(HealthFileError) -> Int {
    if isAtEnd { return 0 }
    if current == nil {
      let next = try ring.take()
      if next.count == 0 {
        isAtEnd = true
        return 0
      }
      current = next
      taken = 0
    }
    guard let piece = current else { return 0 }
    let count = min(buffer.count, piece.count - taken)
    buffer.copyMemory(
      from: UnsafeRawBufferPointer(rebasing: ring.pieces[piece.piece][taken..<(taken + count)]))
    taken += count
    if taken == piece.count {
      current = nil
      ring.giveBack()
    }
    return count
  }
}

/// A few chunks of memory that circulate between two threads.
///
/// Unchecked: the state, which is behind a lock, assigns each chunk to one thread.
private final class Ring: @unchecked Sendable {
  private static let pieceCount = 4
  private static let pieceBytes = 256 << 10

  private struct State {
    var counts: [Int] = []
    var written = 0
    var failure: HealthFileError?
    var isStopped = false
    var isWhole = false
  }

  let pieces: [UnsafeMutableRawBufferPointer] = (0..<Ring.pieceCount).map { _ in
    .allocate(byteCount: Ring.pieceBytes, alignment: 64)
  }
  private let state = Mutex(State())
  // Signalled in `init`: a semaphore must not end below its initial value.
  private let room = DispatchSemaphore(value: 0)
  private let filled = DispatchSemaphore(value: 0)
  private let read = Mutex(0)

  init() { for _ in pieces { room.signal() } }

  deinit { for piece in pieces { piece.deallocate() } }

  var isWhole: Bool { state.withLock { $0.isWhole } }

  /// Returns the next chunk to fill; nil once no one reads any more.
  func waitForRoom() -> Int? {
    room.wait()
    return state.withLock { $0.isStopped ? nil : $0.written % Self.pieceCount }
  }

  func put(_ count: Int, isWhole: Bool) {
    state.withLock {
      $0.counts.append(count)
      $0.written += 1
      $0.isWhole = isWhole
    }
    filled.signal()
  }

  func fail(_ failure: HealthFileError) {
    state.withLock { $0.failure = failure }
    filled.signal()
  }

  func take() throws(HealthFileError) -> (piece: Int, count: Int) {
    filled.wait()
    let count = state.withLock { $0.counts.isEmpty ? nil : $0.counts.removeFirst() }
    guard let count else {
      let failure = state.withLock { $0.failure } ?? .unreadable
      // Let later calls see the end too.
      filled.signal()
      throw failure
    }
    let piece = read.withLock { number in
      defer { number += 1 }
      return number % Self.pieceCount
    }
    return (piece, count)
  }

  func giveBack() { room.signal() }

  func stop() {
    state.withLock { $0.isStopped = true }
    room.signal()
  }
}
