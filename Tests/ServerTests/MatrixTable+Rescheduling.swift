// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// Moving the doses after one that was taken late.
  static let rescheduling = [
    "closed POST /doses/:dose/shift",
    "closed GET /api/v1/doses/:dose/replan",
    "closed POST /api/v1/doses/:dose/replan",
  ]
}
