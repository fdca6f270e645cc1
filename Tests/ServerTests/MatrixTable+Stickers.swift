// SPDX-License-Identifier: Apache-2.0

extension MatrixTable {
  /// The addresses of stickers with their pages, and those to which gateways and bots send answers.
  static let stickers = Set(
    """
    open POST /api/v1/chat/updates
    open POST /api/v1/gateways/replies
    closed GET /device/chat
    closed POST /device/chat
    open GET /s/:secret
    closed POST /s/:secret/answers
    closed GET /stickers
    closed POST /stickers
    closed GET /stickers/labels
    closed POST /stickers/phone
    closed POST /stickers/:sticker/end
    """.split(separator: "\n").map(String.init))
}
