// SPDX-License-Identifier: Apache-2.0
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Synchronization

/// Collects a response up to its limit.
final class ResponseCollector: HTTPClientResponseDelegate {
  typealias Response = OutboundResponse

  /// Ends a request whose response has reached its limit.
  struct LimitReached: Error {}

  private struct State {
    var hasSent = false
    var head: HTTPResponseHead?
    var body: [UInt8] = []
  }

  private let limit: ResponseLimit
  private let state = Mutex(State())

  init(limit: ResponseLimit) {
    self.limit = limit
  }

  func didSendRequestHead(task: HTTPClient.Task<OutboundResponse>, _ head: HTTPRequestHead) {
    state.withLock { $0.hasSent = true }
  }

  /// True if the other side may have received part of the request.
  var hasSent: Bool { state.withLock { $0.hasSent } }

  func didReceiveHead(
    task: HTTPClient.Task<OutboundResponse>, _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    state.withLock { $0.head = head }
    if case .refuseBeyond(let bytes) = limit,
      let announced = head.headers.first(name: "content-length").flatMap(Int.init),
      announced > bytes
    {
      return task.eventLoop.makeFailedFuture(LimitReached())
    }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<OutboundResponse>, _ buffer: ByteBuffer
  ) -> EventLoopFuture<Void> {
    let isFull = state.withLock { state in
      let room = limit.bytes - state.body.count
      state.body.append(contentsOf: buffer.readableBytesView.prefix(max(room, 0)))
      return buffer.readableBytes > room
    }
    return isFull
      ? task.eventLoop.makeFailedFuture(LimitReached()) : task.eventLoop.makeSucceededVoidFuture()
  }

  func didFinishRequest(task: HTTPClient.Task<OutboundResponse>) throws -> OutboundResponse {
    guard let response else { throw HTTPClientError.remoteConnectionClosed }
    return response
  }

  /// The response so far; nil before the head.
  var response: OutboundResponse? {
    state.withLock { state in
      guard let head = state.head else { return nil }
      return OutboundResponse(
        status: Int(head.status.code),
        headers: head.headers.map { (name: $0.name, value: $0.value) }, body: state.body)
    }
  }

  /// The outcome of a request that ended with ``LimitReached``.
  var limited: Result<OutboundResponse, OutboundError> {
    switch limit {
    case .keepFirst: response.map { .success($0) } ?? .failure(.connection)
    case .refuseBeyond: .failure(.responseTooLarge)
    }
  }
}
