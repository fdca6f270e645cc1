// SPDX-License-Identifier: Apache-2.0

import Web

/// An export that is being uploaded to its temporary file, piece by piece.
actor ReceivedHealthFile {
  private static let guards: Set<String> = [ForgeryGuard.field, PersonChoice.guardField]

  nonisolated let upload: TemporaryUpload
  private let call: Call
  private var reader: MultipartReader?
  private var part: String?
  /// The fields before the file: the token, and the person that the form was made for.
  private var fields: [String: [UInt8]] = [:]
  private var isChecked = false
  private var count = 0
  private(set) var fileName = ""

  init(call: Call, contentType: String) throws {
    self.call = call
    upload = try TemporaryUpload(
      name: call.environment.newIdentifier(), settings: call.environment.settings)
    reader = MultipartReader(contentType: contentType)
  }

  /// Adds the next bytes of the form.
  ///
  /// - Throws: ``HeartImportMistake``, and errors of ``ForgeryGuard`` for the token, which comes
  ///   before the file.
  func append(_ bytes: ArraySlice<UInt8>) throws {
    let events: [MultipartReader.Event]
    do {
      events = try reader?.append(bytes) ?? []
    } catch {
      throw Failure.badRequest("structure", "Send the form as valid multipart/form-data.")
    }
    for event in events {
      switch event {
      case .began(let name, let fileName):
        part = name
        guard name == "file" else { continue }
        try check()
        self.fileName = String((fileName ?? "").prefix(120))
      case .bytes(let bytes):
        guard let part else { continue }
        if Self.guards.contains(part) {
          guard fields[part, default: []].count + bytes.count <= 256 else {
            throw Failure.badRequest("structure", "This form is not from this server.")
          }
          fields[part, default: []] += bytes
        } else if part == "file" {
          count += bytes.count
          guard count <= HeartImportPages.maximumFile else { throw HeartImportMistake.tooLarge }
          try upload.append(bytes)
        }
      case .ended: part = nil
      }
    }
  }

  /// Ends the form.
  func finish() throws {
    guard reader?.isFinished ?? false else {
      throw Failure.badRequest("structure", "The form is incomplete. Send it again.")
    }
    try check()
    guard count > 0 else { throw HeartImportMistake.missing }
    try upload.close()
  }

  private func check() throws {
    guard !isChecked else { return }
    let form = FormBody(
      pairs: fields.map { name, bytes in
        FormPair(name: name, value: String(decoding: bytes, as: UTF8.self))
      })
    try ForgeryGuard.check(form, of: call)
    isChecked = true
  }
}

/// A mistake in an uploaded export as a whole.
enum HeartImportMistake: String, Error, Sendable, CaseIterable {
  case missing, running
  case tooLarge = "too-large"
}
