// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTP server on loopback that behaves as a request's path specifies.
final class TestServer: Sendable {
  struct Seen: Sendable {
    var requests: [String] = []
    var connections = 0
    var current = 0
    var most = 0
  }

  let seen = Shared(Seen())
  private let channel: any Channel

  var port: Int { channel.localAddress?.port ?? 0 }
  var rule: String { "127.0.0.1:\(port)" }

  private init(_ channel: any Channel) {
    self.channel = channel
  }

  /// Runs the server while the body runs, over TLS if it has a certificate.
  static func run<Result>(
    at address: String = "127.0.0.1", tls: NIOSSLContext? = nil,
    _ body: (TestServer) async throws -> Result
  ) async throws -> Result {
    let box = Shared<TestServer?>(nil)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.backlog, value: 256)
      .childChannelInitializer { child in
        child.eventLoop.makeCompletedFuture {
          if let tls {
            try child.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
          }
          try child.pipeline.syncOperations.configureHTTPServerPipeline()
          try child.pipeline.syncOperations.addHandler(
            TestHandler(seen: box.value.withLock { $0?.seen } ?? Shared(Seen())))
        }
      }
      .bind(host: address, port: 0).get()
    let server = TestServer(channel)
    box.value.withLock { $0 = server }
    do {
      let result = try await body(server)
      try await channel.close().get()
      return result
    } catch {
      try await channel.close().get()
      throw error
    }
  }
}

private final class TestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let seen: Shared<TestServer.Seen>
  private var head: HTTPRequestHead?
  private var body = ByteBuffer()

  init(seen: Shared<TestServer.Seen>) {
    self.seen = seen
  }

  func channelActive(context: ChannelHandlerContext) {
    seen.value.withLock { $0.connections += 1 }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = ByteBuffer()
    case .body(var part): body.writeBuffer(&part)
    case .end:
      guard let head else { return }
      seen.value.withLock { seen in
        seen.requests.append(head.uri)
        seen.current += 1
        seen.most = max(seen.most, seen.current)
      }
      answer(head, context)
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let parts = head.uri.split(separator: "/")
    let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    switch parts.first {
    case "status": write(context, status: number)
    case "redirect":
      write(context, status: 302, headers: ["Location": "http://127.0.0.1:1/elsewhere"])
    case "echo":
      let lines = head.headers.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
      let text = ["\(head.method) \(head.uri)"] + lines + [String(buffer: body)]
      write(context, status: 200, text: text.joined(separator: "\n"))
    case "cookie": write(context, status: 200, headers: ["Set-Cookie": "a=b; Path=/"])
    case "bytes": write(context, status: 201, text: String(repeating: "x", count: number))
    case "endless": writeEndlessly(context, first: true)
    case "silent": break
    case "drop":
      leave()
      context.close(promise: nil)
    case "half":
      let head = HTTPResponseHead(
        version: .http1_1, status: .ok, headers: ["Content-Length": "1000"])
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.writeAndFlush(
        wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "half")))), promise: nil)
    case "garbage":
      leave()
      // Bypasses the encoder.
      let bytes = ByteBuffer(string: "SSH-2.0-OpenSSH_9.2\r\n\r\n")
      context.pipeline.context(handlerType: HTTPResponseEncoder.self).whenSuccess { encoder in
        encoder.writeAndFlush(NIOAny(bytes), promise: nil)
      }
    case "later":
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      context.eventLoop.scheduleTask(in: .milliseconds(Int64(number))) {
        let (handler, context) = bound.value
        handler.write(context, status: 200)
      }
    default: write(context, status: 404)
    }
  }

  private func write(
    _ context: ChannelHandlerContext, status: Int, headers: [String: String] = [:],
    text: String = ""
  ) {
    leave()
    var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
    fields.add(name: "Content-Length", value: String(text.utf8.count))
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: fields)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  /// Writes chunks until the other side closes the connection.
  private func writeEndlessly(_ context: ChannelHandlerContext, first: Bool) {
    if first {
      leave()
      let head = HTTPResponseHead(version: .http1_1, status: .created)
      context.write(wrapOutboundOut(.head(head)), promise: nil)
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let chunk = ByteBuffer(repeating: UInt8(ascii: "x"), count: 16_384)
    context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(chunk)))).whenSuccess {
      let (handler, context) = bound.value
      handler.writeEndlessly(context, first: false)
    }
  }

  private func leave() {
    seen.value.withLock { $0.current -= 1 }
  }
}
