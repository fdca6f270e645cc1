// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// The time limits for slow connections, even if single bytes arrive.
///
/// The idle timeout restarts with every byte, so it ends only silent clients.
struct ConnectionPatience: Sendable {
  /// For a whole request head, counted from the connection or the last answer.
  var head: TimeAmount = .seconds(20)
  /// For the rest of a body after it was answered.
  var rest: TimeAmount = .seconds(10)
  /// For reading the next part of an answer, some tens of kilobytes.
  var reading: TimeAmount = .seconds(60)
}

/// Closes connections beyond the limit of a network or the server, and slow ones: heads that never
/// end, bodies that continue after their answer, answers that are not read.
///
/// ``BodyReader`` limits the time of a body that a route reads.
final class ConnectionGuard: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The part of a request that the server waits for.
  private enum Debt {
    case head
    case rest
  }

  private let patience: ConnectionPatience
  private let ledger: ConnectionLedger
  private var place: ConnectionLedger.Place?
  private var hasBegun = false
  private var isRefused = false
  private var isReadingBody = false
  private var unanswered = 0
  private var debt: (what: Debt, deadline: Scheduled<Void>)?
  private var stall: Scheduled<Void>?
  private var lastPart: Scheduled<Void>?

  init(ledger: ConnectionLedger, patience: ConnectionPatience = ConnectionPatience()) {
    self.ledger = ledger
    self.patience = patience
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end()
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isRefused { return }
    switch unwrapInboundIn(data) {
    case .head:
      unanswered += 1
      isReadingBody = true
    case .body: break
    case .end: isReadingBody = false
    }
    reconsider(context)
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else {
      context.write(data, promise: promise)
      return
    }
    unanswered = max(0, unanswered - 1)
    let deadline = closing(context, after: patience.reading)
    lastPart?.cancel()
    lastPart = deadline
    let written = promise ?? context.eventLoop.makePromise(of: Void.self)
    written.futureResult.whenComplete { _ in deadline.cancel() }
    context.write(data, promise: written)
    reconsider(context)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    stall?.cancel()
    stall = context.channel.isWritable ? nil : closing(context, after: patience.reading)
    context.fireChannelWritabilityChanged()
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard !hasBegun else { return }
    hasBegun = true
    let peer = context.channel.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) }
    do throws(ConnectionLedger.Refusal) {
      place = try ledger.enter(peer)
      reconsider(context)
    } catch {
      isRefused = true
      switch error {
      case .network: context.close(promise: nil)
      case .server: refuse(context)
      }
    }
  }

  /// Answers that the server is full and closes the connection, whatever the client has sent.
  private func refuse(_ context: ChannelHandlerContext) {
    debt = (.rest, closing(context, after: .seconds(1)))
    let head = HTTPResponseHead(
      version: .http1_1, status: .serviceUnavailable,
      headers: ["Connection": "close", "Retry-After": "5", "Content-Length": "0"])
    let channel = context.channel
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
  }

  private func end() {
    if let place { ledger.leave(place) }
    place = nil
    debt?.deadline.cancel()
    debt = nil
    stall?.cancel()
    stall = nil
    lastPart?.cancel()
    lastPart = nil
  }

  /// Sets the timer for what the client currently owes; it continues while that stays the same.
  private func reconsider(_ context: ChannelHandlerContext) {
    let owed: Debt? = unanswered > 0 ? nil : isReadingBody ? .rest : .head
    guard owed != debt?.what else { return }
    debt?.deadline.cancel()
    debt = owed.map { what in
      (what, closing(context, after: what == .head ? patience.head : patience.rest))
    }
  }

  private func closing(
    _ context: ChannelHandlerContext, after time: TimeAmount
  ) -> Scheduled<Void> {
    let channel = context.channel
    return context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }
}
