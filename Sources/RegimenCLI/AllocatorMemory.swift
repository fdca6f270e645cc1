// SPDX-License-Identifier: Apache-2.0

import CMalloc
import Operations
import ServiceLifecycle

/// Limits the allocator's memory to little more than what is in use, and returns it after a burst
/// of requests; returns that of the code that only starting needs.
///
/// glibc creates an arena for each allocating thread, up to eight per core, and never shrinks them.
struct AllocatorMemory: Service {
  /// The free bytes in the arenas from which trimming is worth its few milliseconds.
  private static let worthTrimming = 8 << 20
  /// The time that a start takes at most; the code for it is released then.
  private static let starting = Duration.seconds(5)

  /// Limits the number of arenas; call it before other threads start.
  static func limitArenas() {
    _ = mallopt(M_ARENA_MAX, 2)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      do {
        try await Task.sleep(for: Self.starting)
      } catch {
        return
      }
      ProgramMemory.releaseCode()
      while true {
        do {
          try await Task.sleep(for: .seconds(30))
        } catch {
          return
        }
        if mallinfo2().fordblks > Self.worthTrimming { _ = malloc_trim(0) }
      }
    }
  }
}
