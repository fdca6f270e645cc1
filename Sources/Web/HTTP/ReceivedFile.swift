// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird

/// A small file in a form from a browser; the form is checked for forgery before the file is read.
package actor ReceivedFile {
  /// The reason that a form has no usable file.
  package enum Problem: Error, Sendable, Hashable {
    case missing, tooLarge
  }

  /// The bytes that a route allows for the form around its file.
  package static let formBytes = 64 * 1024

  private let call: Call
  private let field: String
  private let maximum: Int
  private let names: Set<String>
  private var reader: MultipartReader
  private var part: String?
  private var fields: [String: [UInt8]] = [:]
  private var bytes: [UInt8] = []
  private var isChecked = false

  private init(
    call: Call, field: String, maximum: Int, names: Set<String>, reader: MultipartReader
  ) {
    self.call = call
    self.field = field
    self.maximum = maximum
    self.names = names
    self.reader = reader
  }

  /// Reads a form to its end, and returns the file of one field and the other named fields.
  ///
  /// - Parameter maximum: The largest file, in bytes.
  /// - Throws: ``Problem``, and ``Failure`` for a malformed or forged form.
  package static func read(
    _ call: Call, field: String, maximum: Int, names: Set<String> = []
  ) async throws -> (bytes: [UInt8], fields: FormBody) {
    guard let reader = MultipartReader(contentType: call.request.headers[.contentType] ?? "")
    else {
      // A form without a file: it still must come from a page of this server.
      try ForgeryGuard.check(try await FormBody.read(call), of: call)
      throw Problem.missing
    }
    let received = ReceivedFile(
      call: call, field: field, maximum: maximum, names: names, reader: reader)
    try await BodyReader.pieces(of: call) { try await received.append($0) }
    return try await received.finish()
  }

  private func append(_ piece: ArraySlice<UInt8>) throws {
    let events: [MultipartReader.Event]
    do {
      events = try reader.append(piece)
    } catch {
      throw Failure.badRequest("structure", "Send the form as valid multipart/form-data.")
    }
    for event in events { try take(event) }
  }

  private func finish() throws -> (bytes: [UInt8], fields: FormBody) {
    guard reader.isFinished else {
      throw Failure.badRequest("structure", "The form is incomplete. Send it again.")
    }
    try check()
    guard !bytes.isEmpty else { throw Problem.missing }
    return (bytes, form)
  }

  private func take(_ event: MultipartReader.Event) throws {
    switch event {
    case .began(let name, _):
      part = name
      if name == field { try check() }
    case .bytes(let piece):
      guard let part else { return }
      if part == field {
        guard bytes.count + piece.count <= maximum else { throw Problem.tooLarge }
        bytes += piece
      } else if [ForgeryGuard.field, PersonChoice.guardField].contains(part)
        || names.contains(part)
      {
        guard fields[part, default: []].count + piece.count <= 1_024 else {
          throw Failure.badRequest("structure", "This form is not from this server.")
        }
        fields[part, default: []] += piece
      }
    case .ended: part = nil
    }
  }

  private var form: FormBody {
    FormBody(
      pairs: fields.map { name, bytes in
        FormPair(name: name, value: String(decoding: bytes, as: UTF8.self))
      })
  }

  private func check() throws {
    guard !isChecked else { return }
    try ForgeryGuard.check(form, of: call)
    isChecked = true
  }
}

extension Route {
  /// Returns a route that accepts a form with a file up to a size in bytes, within a time in
  /// seconds.
  package func takingFile(
    upTo bytes: Int, within seconds: Int = BodyAllowance.fileSeconds
  ) -> Route {
    taking(upTo: bytes + ReceivedFile.formBytes, within: seconds)
  }
}
