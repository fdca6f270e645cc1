// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The addresses of stickers, and the pages that make, print and revoke them.
  static let stickers = Set(
    """
    open GET /s/:secret
    closed POST /s/:secret/answers
    closed GET /stickers
    closed POST /stickers
    closed GET /stickers/labels
    closed POST /stickers/phone
    closed POST /stickers/:sticker/end
    """.split(separator: "\n").map(String.init))
}
