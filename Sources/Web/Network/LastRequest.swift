// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Blocks everything after the request with which a client ends its connection (RFC 9112, 9.6).
///
/// Later bytes are read and discarded: left unread, they would make the system reset the
/// connection, and the answer would be lost. The head is passed on with the one spelling of
/// `Connection: close` that Hummingbird recognizes, so that the connection ends with the answer,
/// also for HTTP/1.0 without keep-alive.
final class LastRequest: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private enum Progress {
    case open
    /// The last head has arrived, its body is still being read.
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
    // The request decoder rejects bytes that are no longer needed.
    if progress == .over, error is HTTPParserError || error is ByteToMessageDecoderError { return }
    context.fireErrorCaught(error)
  }

  private static func isLast(_ head: HTTPRequestHead) -> Bool {
    let words = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
    if words.contains("close") { return true }
    return (head.version.major, head.version.minor) < (1, 1) && !words.contains("keep-alive")
  }
}
