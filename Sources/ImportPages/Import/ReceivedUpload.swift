// SPDX-License-Identifier: Apache-2.0

import Accounts
import HealthData
import Identifiers
import Prescriptions
import Storage
import Web

/// An uploaded file on its way from a browser, piece by piece.
actor ReceivedUpload {
  nonisolated let id: String
  private let call: Call
  private let account: AccountID
  private let uploads: ImportUploads
  private var reader: MultipartReader?
  private var part: String?
  /// The fields before the file: the token, and the person that the form was made for.
  private var fields: [String: [UInt8]] = [:]
  private var isChecked = false
  private var fileName = ""
  private var pending: [UInt8] = []
  private var piece = 0
  private var count = 0
  private var format: ImportFileReader.Format?

  init(call: Call, signedIn: SignedIn, contentType: String) {
    self.call = call
    account = signedIn.account.id
    id = call.environment.newIdentifier()
    uploads = ImportUploads(
      database: call.environment.database, patient: call.patient(of: signedIn))
    reader = MultipartReader(contentType: contentType)
  }

  /// Adds the next bytes of the form.
  ///
  /// - Throws: ``ImportMistake``, and errors of ``ForgeryGuard`` for the token, which comes before
  ///   the file.
  func append(_ bytes: ArraySlice<UInt8>) async throws {
    let events: [MultipartReader.Event]
    do {
      events = try reader?.append(bytes) ?? []
    } catch {
      throw Failure.badRequest("structure", "Send the form as valid multipart/form-data.")
    }
    for event in events { try await take(event) }
  }

  /// Ends the form.
  func finish() async throws {
    guard reader?.isFinished ?? false else {
      throw Failure.badRequest("structure", "The form is incomplete. Send it again.")
    }
    try check()
    guard count > 0 else { throw ImportMistake.missing }
    guard format == .json || format == .other else { throw ImportMistake.notFHIR }
    try await store()
    if format == .other { try await checkTable() }
  }

  /// True if it is a table rather than FHIR.
  var isTable: Bool { format == .other }

  private func checkTable() async throws {
    do {
      let found = try await MedicineColumns.table(id, in: uploads)
      // A heading without rows is empty.
      guard let found, found.table.rows.count > 1 else { throw ImportMistake.notFHIR }
    } catch let problem as TableText.Problem {
      throw ImportMistake(problem)
    }
  }

  /// Removes the bytes received so far.
  func discard() async throws {
    if piece > 0 { try await uploads.remove(id) }
  }

  private func take(_ event: MultipartReader.Event) async throws {
    switch event {
    case .began(let name, let fileName):
      part = name
      if name == "file" {
        try check()
        self.fileName = String((fileName ?? "").prefix(120))
        try await uploads.clear(account: account)
      }
    case .bytes(let bytes):
      if let part, Self.guards.contains(part) {
        guard fields[part, default: []].count + bytes.count <= 256 else {
          throw Failure.badRequest("structure", "This form is not from this server.")
        }
        fields[part, default: []] += bytes
      } else if part == "file" {
        count += bytes.count
        guard count <= call.environment.settings.maximumUpload else { throw ImportMistake.tooLarge }
        if format == nil { format = ImportFileReader.format(of: bytes) }
        pending += bytes
        if pending.count >= ImportUploads.pieceBytes { try await store() }
      }
    case .ended: part = nil
    }
  }

  private static let guards: Set<String> = [ForgeryGuard.field, PersonChoice.guardField]

  private func check() throws {
    guard !isChecked else { return }
    let form = FormBody(
      pairs: fields.map { name, bytes in
        FormPair(name: name, value: String(decoding: bytes, as: UTF8.self))
      })
    try ForgeryGuard.check(form, of: call)
    isChecked = true
  }

  private func store() async throws {
    guard !pending.isEmpty else { return }
    let bytes = pending
    pending = []
    try await uploads.add(
      bytes, piece: piece, to: id, account: account, fileName: fileName, at: call.now)
    piece += 1
  }
}
