// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The report and the charts over all medicines, for the person and for a practitioner; a practitioner's view of
  /// the diary; and the effect of one medicine.
  static let chartRows: Set<String> = [
    "closed GET /care/:patient/charts",
    "closed GET /care/:patient/diary",
    "closed GET /care/:patient/report",
    "closed GET /care/:patient/report.pdf",
    "closed GET /report",
    "closed GET /report.csv",
    "closed GET /report.json",
    "closed GET /report.pdf",
    "closed GET /report/charts",
    "closed GET /api/v1/medicines/:plan/effect",
    "closed GET /medicines/:plan/effect",
    "closed POST /medicines/:plan/effect",
    "closed POST /report/links",
    "closed POST /report/links/:link/remove",
  ]
}
