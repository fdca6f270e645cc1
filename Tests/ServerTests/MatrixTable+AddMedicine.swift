// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The steps that add a medicine, and the long form.
  static let addMedicine = Set(
    """
    closed GET /medicines/new
    closed POST /medicines/new
    closed GET /medicines/new/details
    closed POST /medicines/new/details
    closed GET /medicines/new/suggestions.json
    closed GET /medicines/new/:draft
    closed POST /medicines/new/:draft
    closed GET /medicines/new/:draft/often
    closed POST /medicines/new/:draft/often
    closed GET /medicines/new/:draft/times
    closed POST /medicines/new/:draft/times
    closed GET /medicines/new/:draft/check
    closed POST /medicines/new/:draft/check
    closed GET /medicines/new/:draft/details
    closed POST /medicines/new/:draft/discard
    """.split(separator: "\n").map(String.init))
}
