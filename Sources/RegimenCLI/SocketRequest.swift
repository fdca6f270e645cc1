// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation

/// One HTTP request over a Unix socket: the answer is small, the server is on this machine, and the
/// connection is closed after it.
struct SocketRequest {
  let socket: String

  enum Failure: Error, CustomStringConvertible {
    case unreachable
    case pathTooLong
    case brokenAnswer
    case noAnswer

    var description: String {
      switch self {
      case .unreachable:
        "The data folder is in use, but its server is not responding. Stop it, or try again."
      case .pathTooLong:
        "The path of the data folder is too long for a socket. Choose a shorter one."
      case .brokenAnswer: "The server's answer was incomplete. Check whether the change was made."
      case .noAnswer: "The server did not answer in time, or its answer was incomplete. Try again."
      }
    }
  }

  /// The longest wait for the answer to ``get(_:)``, in milliseconds.
  private static let patience: Int32 = 30_000

  /// Requests a text and returns the status and the body of the answer.
  func get(_ path: String) throws -> (status: Int, text: String) {
    let handle = try connect()
    defer { try? handle.close() }
    let head = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    try handle.write(contentsOf: Data(head.utf8))
    // A timer may be the caller: it must not wait forever for a server that has stalled.
    var asked = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&asked, 1, Self.patience) > 0, let answer = try? handle.readToEnd(),
      let (status, body) = try? split(Array(answer))
    else { throw Failure.noAnswer }
    return (status, String(decoding: body, as: UTF8.self))
  }

  /// Posts JSON and returns the status and the JSON body of the answer.
  func post(_ path: String, json: JSONValue) throws -> (status: Int, body: JSONValue) {
    let body = json.bytes
    let head =
      "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    let handle = try connect()
    defer { try? handle.close() }
    try handle.write(contentsOf: Data(head.utf8) + Data(body))
    let answer = try handle.readToEnd() ?? Data()
    return try parse(Array(answer))
  }

  /// Posts bytes as they arrive (chunked) and returns the status and the JSON body of the answer.
  func stream(_ path: String, _ next: () throws -> Data?) throws -> (status: Int, body: JSONValue) {
    let head =
      "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
      + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    let handle = try connect()
    defer { try? handle.close() }
    try handle.write(contentsOf: Data(head.utf8))
    do {
      while let bytes = try next() {
        let size = String(bytes.count, radix: 16)
        try handle.write(contentsOf: Data("\(size)\r\n".utf8) + bytes + Data("\r\n".utf8))
      }
      try handle.write(contentsOf: Data("0\r\n\r\n".utf8))
    } catch {
      // The server may have refused early: its answer has the reason.
    }
    let answer = try handle.readToEnd() ?? Data()
    return try parse(Array(answer))
  }

  private func connect() throws -> FileHandle {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure.unreachable }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(socket.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Failure.pathTooLong
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw Failure.unreachable }
    return handle
  }

  private func parse(_ answer: [UInt8]) throws -> (status: Int, body: JSONValue) {
    let (status, body) = try split(answer)
    do {
      return (
        status, try JSONValue(parsing: Array(body), limits: JSONLimits(maximumBytes: 64 << 20))
      )
    } catch {
      throw Failure.brokenAnswer
    }
  }

  private func split(_ answer: [UInt8]) throws -> (status: Int, body: ArraySlice<UInt8>) {
    let separator: [UInt8] = [13, 10, 13, 10]
    guard let end = answer.firstRange(of: separator) else { throw Failure.brokenAnswer }
    let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
    let words = head.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, let status = Int(words[1]) else { throw Failure.brokenAnswer }
    return (status, answer[end.upperBound...])
  }
}
