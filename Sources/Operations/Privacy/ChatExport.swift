// SPDX-License-Identifier: Apache-2.0

import CareTeam
import FHIR
import Identifiers
import People
import Presentation
import Storage
import Web

/// The messages of a person in a full export, decrypted, since they are the owner's.
struct ChatExport {
  let export: PersonExport
  private static let part = 200
  private static let fileName = "chat.json"  // not a message

  func write(
    in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    try await messages(in: &zip, sink)
    try await communications(in: &zip, sink)
  }

  private func messages(
    in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    let environment = export.environment
    let (patient, accounts, zones) = (
      export.patient, environment.accounts, environment.zones
    )
    let writer = try await environment.database.read { reader in
      DoseJSON(zone: try PeopleQueries.zone(patient, zones: zones, in: reader))
    }
    var place = ChatCopy.start
    var photos: [MessageID] = []
    try await sink(try zip.begin(Self.fileName) + zip.add(Array("[".utf8)))
    while true {
      let from = place
      let part = try await environment.database.read { reader in
        try ChatCopy.messages(
          of: patient, after: from, limit: Self.part, accounts: accounts, in: reader)
      }
      guard let last = part.last else { break }
      var bytes: [UInt8] = []
      for message in part {
        if message != part.first || from != ChatCopy.start { bytes.append(UInt8(ascii: ",")) }
        if message.hasPhoto { photos.append(message.id) }
        let object = message.json(
          isOwn: nil, photo: Self.name(ofPhoto: message.id), instant: writer.text)
        bytes.append(contentsOf: object.bytes)
      }
      try await sink(try zip.add(bytes))
      place = (last.conversation, last.number)
    }
    try await sink(try zip.add(Array("]".utf8)) + zip.end())
    for id in photos {
      let found = try await environment.database.read { reader in
        try ChatCopy.photo(id, patient: patient, accounts: accounts, in: reader)
      }
      if let found { try await export.file(Self.name(ofPhoto: id), found, in: &zip, sink) }
    }
  }

  private static func name(ofPhoto message: MessageID) -> String { "chat/\(message).jpg" }

  /// Returns messages from other systems, unchanged.
  private func communications(
    in zip: inout ZipArchive, _ sink: ([UInt8]) async throws -> Void
  ) async throws {
    let communications = Communications(accounts: export.environment.accounts)
    let patient = export.patient
    var place = ""
    while true {
      let from = place
      let part = try await export.environment.database.read { reader in
        try communications.all(of: patient, after: from, limit: Self.part, in: reader)
      }
      guard let last = part.last else { return }
      for (id, body) in part {
        try await export.file("communications/\(id).json", Array(body.utf8), in: &zip, sink)
      }
      place = last.id
    }
  }
}
