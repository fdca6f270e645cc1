// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The number of files and connections that this process may have open.
enum OpenFileLimit {
  /// The highest useful limit; some libraries iterate over all possible descriptors.
  private static let most: rlim_t = 65_536

  /// Raises the soft limit as far as the hard limit allows, and returns the limit in force.
  static func raise() -> Int {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(kind, &limit) == 0 else { return 1024 }
    let wanted = min(limit.rlim_max, most)
    if limit.rlim_cur < wanted {
      var raised = limit
      raised.rlim_cur = wanted
      if setrlimit(kind, &raised) == 0 { limit = raised }
    }
    return Int(clamping: min(limit.rlim_cur, most))
  }
}
