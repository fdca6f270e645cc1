// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Lets nothing through behind the request with which a client ends its connection (RFC 9112, 9.6).
///
/// What comes later is read and thrown away: left unread, the system would reset the connection, and the
/// answer with it. The head is handed on with the one spelling of `Connection: close` that Hummingbird looks
/// for, so that the connection ends with the answer, also where HTTP/1.0 did not ask to keep it.
final class LastRequest: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private enum Progress {
    case open
    /// The last head came, its body is on the way.
    case ending
    case over
  }

  private var progress = Progress.open

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (progress, unwrapInboundIn(data)) {
    case (.over, _): return
    case (.open, .head(var head)) where Self.isLast(head):
      progress = .ending
      head.headers.replaceOrAdd(name: "connection", value: "close")
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case (.ending, .end):
      progress = .over
      context.fireChannelRead(data)
    default:
      context.fireChannelRead(data)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The reader of requests finds fault with bytes that nobody waits for.
    if progress == .over, error is HTTPParserError || error is ByteToMessageDecoderError { return }
    context.fireErrorCaught(error)
  }

  private static func isLast(_ head: HTTPRequestHead) -> Bool {
    let words = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
    if words.contains("close") { return true }
    return (head.version.major, head.version.minor) < (1, 1) && !words.contains("keep-alive")
  }
}
