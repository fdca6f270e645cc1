// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The pages and the API of the diary.
  static let diary = Set(
    """
    closed GET /diary
    closed POST /diary/trackers
    closed GET /diary/trackers/:tracker
    closed POST /diary/trackers/:tracker
    closed POST /diary/trackers/:tracker/end
    closed POST /diary/trackers/:tracker/reminders
    closed GET /diary/entries/:entry
    closed POST /diary/entries/:entry
    closed POST /diary/entries/:entry/photos
    closed GET /diary/entries/:entry/photos/:photo
    closed POST /diary/entries/:entry/remove
    closed GET /api/v1/diary/trackers
    closed GET /api/v1/diary/entries
    closed POST /api/v1/diary/entries
    closed PUT /api/v1/diary/entries/:entry
    closed DELETE /api/v1/diary/entries/:entry
    """.split(separator: "\n").map(String.init))
}
