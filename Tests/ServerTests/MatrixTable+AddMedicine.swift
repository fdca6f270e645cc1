// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The steps that add, change and prescribe a medicine, and the long forms.
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
    closed GET /medicines/:plan/change
    closed POST /medicines/:plan/change
    closed GET /medicines/:plan/change/often
    closed POST /medicines/:plan/change/often
    closed GET /medicines/:plan/change/times
    closed POST /medicines/:plan/change/times
    closed GET /medicines/:plan/change/check
    closed POST /medicines/:plan/change/check
    closed POST /medicines/:plan/change/discard
    closed GET /care/:patient/prescribe/details
    closed POST /care/:patient/prescribe/details
    closed GET /care/:patient/prescribe/suggestions.json
    closed GET /care/:patient/prescribe/:draft
    closed POST /care/:patient/prescribe/:draft
    closed GET /care/:patient/prescribe/:draft/often
    closed POST /care/:patient/prescribe/:draft/often
    closed GET /care/:patient/prescribe/:draft/times
    closed POST /care/:patient/prescribe/:draft/times
    closed GET /care/:patient/prescribe/:draft/check
    closed POST /care/:patient/prescribe/:draft/check
    closed GET /care/:patient/prescribe/:draft/details
    closed POST /care/:patient/prescribe/:draft/discard
    """.split(separator: "\n").map(String.init))
}
