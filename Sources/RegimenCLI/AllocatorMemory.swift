// SPDX-License-Identifier: Apache-2.0

import CMalloc
import ServiceLifecycle

/// Keeps the allocator's memory near what is in use, and gives back what a burst of requests left behind.
///
/// glibc makes an arena for each thread that allocates, up to eight per core, and never shrinks them.
struct AllocatorMemory: Service {
  /// Free bytes inside the arenas from which trimming is worth its few milliseconds.
  private static let worthTrimming = 8 << 20

  /// Call it before other threads run.
  static func limitArenas() {
    _ = mallopt(M_ARENA_MAX, 2)
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
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
