// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The addresses for widgets and watch faces, and the page that creates them.
  static let widgets = Set(
    """
    open GET /widget/:secret
    open GET /widget/:secret/picture.png
    closed GET /widgets
    closed POST /widgets
    closed POST /widgets/:widget/end
    """.split(separator: "\n").map(String.init))
}
