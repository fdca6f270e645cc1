// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import Identifiers
import Storage
import Web

/// A finished file of an export: lines of JSON, sealed in pieces.
struct ExportFile: Sendable, Hashable {
  let type: FHIRType
  /// The name in the folder of exports.
  let name: String
  /// The number of resources, one on each line.
  let count: Int
  /// The number of pieces.
  let pieces: Int
  /// The patients whose resources are in the file.
  let patients: Set<PatientID>
  /// The part of each patient's Observations with which the file was made; a file of another type has none.
  var parts: [PatientID: ObservationPart] = [:]

  /// The folder of the files of exports.
  static func folder(_ settings: ServerSettings) -> String {
    (settings.dataFolder ?? settings.temporaryFolder) + "/exports"
  }

  /// Returns the text that a sealed piece is bound to, so that pieces can't be exchanged.
  static func context(_ type: FHIRType, piece: Int) -> String {
    "exports:\(type.rawValue):\(piece)"
  }

  /// Returns the path on a server, which has the file only if it made it.
  func path(_ settings: ServerSettings) -> String { "\(Self.folder(settings))/\(name)" }

  /// Removes the file, if this server has it.
  func remove(_ settings: ServerSettings) { _ = unlink(path(settings)) }

  /// Removes the files of the folder that belong to none of some exports.
  static func removeStrays(except exports: Set<String>, _ settings: ServerSettings) {
    // Without a data folder, the files of other servers are next to those of this one.
    guard settings.dataFolder != nil else { return }
    let folder = Self.folder(settings)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where !exports.contains(where: { name.hasPrefix("\($0)-") }) {
      _ = unlink("\(folder)/\(name)")
    }
  }
}

extension ExportFile {
  /// The form in which it is stored.
  var json: JSONValue {
    var named = JSONObject()
    for (patient, part) in parts.sorted(by: { $0.key.text < $1.key.text }) {
      named[patient.text] = .string(Self.name(of: part))
    }
    return [
      "type": .string(type.rawValue), "name": .string(name), "count": .number(JSONNumber(count)),
      "pieces": .number(JSONNumber(pieces)),
      "patients": .array(patients.map(\.text).sorted().map { .string($0) }),
      "parts": .object(named),
    ]
  }

  private static func name(of part: ObservationPart) -> String {
    switch part {
    case .measurements: "measurements"
    case .diary: "diary"
    case .either: "either"
    }
  }

  /// Reads the stored form; nil if it is damaged.
  init?(json: JSONValue) {
    guard let type = json["type"]?.string.flatMap(FHIRType.init(rawValue:)),
      let name = json["name"]?.string, let count = json["count"]?.number?.integer,
      let pieces = json["pieces"]?.number?.integer, let patients = json["patients"]?.array
    else { return nil }
    self.init(
      type: type, name: name, count: count, pieces: pieces,
      patients: Set(patients.compactMap(\.string).map { PatientID($0) }))
    for patient in self.patients {
      guard let text = json["parts"]?[patient.text]?.string else { continue }
      parts[patient] = ObservationPart.allCases.first { Self.name(of: $0) == text }
    }
  }
}

extension ExportFile {
  /// The extent to which someone may have a finished file.
  enum Reach: Sendable, Hashable {
    /// All that the file contains is allowed.
    case whole
    /// Only a part of it is still allowed.
    case narrowed
    case none
  }

  /// Returns how far an actor reaches: patients may have ended or narrowed their sharing since the file was made.
  func reach(of actor: Actor) -> Reach {
    guard patients.allSatisfy({ actor.mayExport(type, of: $0) }) else { return .none }
    guard type == .observation else { return .whole }
    let isWhole = patients.allSatisfy { patient in
      let part = actor.observations(of: patient)
      // A file that an earlier version made does not say its part, so it may contain everything.
      return part == .either || part == parts[patient, default: .either]
    }
    return isWhole ? .whole : .narrowed
  }
}

/// Writes a file of an export, readable only by the server, in sealed pieces.
///
/// Each piece begins with its length in four bytes.
final class ExportFileWriter {
  private static let pieceSize = 256 << 10

  let type: FHIRType
  private let name: String
  private let path: String
  private let handle: FileHandle
  private let cipher: FieldCipher
  private var buffer: [UInt8] = []
  private var count = 0
  private var pieces = 0
  private var patients: Set<PatientID> = []

  /// Creates the file.
  ///
  /// - Parameter name: Chosen by the server, never by a client.
  init(_ type: FHIRType, name: String, cipher: FieldCipher, settings: ServerSettings) throws {
    let folder = ExportFile.folder(settings)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    // Fails if the file already exists, whoever created it.
    var made: (name: String, descriptor: Int32)?
    for attempt in 0..<100 where made == nil {
      let numbered = "\(name)-\(attempt)"
      let descriptor = open(
        "\(folder)/\(numbered)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        made = (numbered, descriptor)
      } else if errno != EEXIST {
        break
      }
    }
    guard let made else { throw StorageError.file(path: folder, code: errno) }
    self.type = type
    self.cipher = cipher
    self.name = made.name
    path = "\(folder)/\(made.name)"
    handle = FileHandle(fileDescriptor: made.descriptor, closeOnDealloc: true)
  }

  /// Adds a resource, whose body is JSON without line breaks.
  func append(_ resource: FoundResource) throws {
    if let patient = resource.patient { patients.insert(patient) }
    resource.append(to: &buffer)
    buffer.append(UInt8(ascii: "\n"))
    count += 1
    if buffer.count >= Self.pieceSize { try flush() }
  }

  /// Writes the rest, and returns the file.
  func close() throws -> ExportFile {
    try flush()
    try handle.close()
    return ExportFile(
      type: type, name: name, count: count, pieces: pieces, patients: patients)
  }

  /// Removes an incomplete file.
  func discard() {
    try? handle.close()
    _ = unlink(path)
  }

  private func flush() throws {
    guard !buffer.isEmpty else { return }
    let sealed = try cipher.seal(
      String(decoding: buffer, as: UTF8.self), context: ExportFile.context(type, piece: pieces))
    let length = UInt32(sealed.count)
    let head = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
    do {
      try handle.write(contentsOf: Data(head + sealed))
    } catch {
      throw StorageError.file(path: path, code: errno)
    }
    pieces += 1
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Reads a file of an export piece by piece.
final class ExportFileReader {
  private let file: ExportFile
  private let cipher: FieldCipher
  private let handle: FileHandle
  private var piece = 0

  /// Opens a file; nil if it is gone, or on another server.
  init?(_ file: ExportFile, cipher: FieldCipher, _ settings: ServerSettings) {
    guard let handle = FileHandle(forReadingAtPath: file.path(settings)) else { return nil }
    self.file = file
    self.cipher = cipher
    self.handle = handle
  }

  /// Returns the next lines; nil at the end.
  func next() throws -> String? {
    guard piece < file.pieces else { return nil }
    guard let head = try handle.read(upToCount: 4), head.count == 4 else {
      throw StorageError.decryptionFailed
    }
    let length = head.reduce(0) { $0 << 8 | Int($1) }
    guard let sealed = try handle.read(upToCount: length), sealed.count == length else {
      throw StorageError.decryptionFailed
    }
    let text = try cipher.open(
      Array(sealed), context: ExportFile.context(file.type, piece: piece))
    piece += 1
    return text
  }
}
