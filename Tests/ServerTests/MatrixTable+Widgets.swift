// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The addresses for widgets, watch faces and voice assistants, and the pages that create them.
  static let widgets = Set(
    """
    open GET /widget/:secret
    open GET /widget/:secret/picture.png
    closed POST /api/v1/voice
    closed GET /device/home-assistant
    closed POST /device/home-assistant
    closed POST /device/home-assistant/:account/end
    closed GET /widgets
    closed POST /widgets
    closed POST /widgets/:widget/end
    """.split(separator: "\n").map(String.init))
}
