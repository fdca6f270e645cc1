// SPDX-License-Identifier: Apache-2.0

import Accounts
import CareTeam
import FHIR
import Identifiers
import Storage
import Synchronization
import Web

/// A bulk export that was requested.
struct ExportJob: Sendable {
  /// The reasons why an export failed, which are stored by their code.
  enum Trouble: String, Sendable, Hashable, CaseIterable {
    /// The access of the sender has ended.
    case access
    /// There was no room for the files.
    case disk
    case error
  }

  /// The export as it is stored.
  private(set) var stored: StoredExport
  let request: ExportRequest
  /// The access of the sender, with which the export is made.
  let access: StandingAccess
  /// The address under which the sender reached the server.
  let baseURL: String
  /// The bytes from which the key of the files is made.
  private let seed: [UInt8]
  /// The files, once all are written.
  private(set) var files: [ExportFile]

  var id: String { stored.id }
  var created: Timestamp { stored.created }
  /// The time at which its files are removed.
  var expires: Timestamp { created.adding(milliseconds: ExportJobStore.lifetime) }

  /// The reason why it failed; nil otherwise.
  var trouble: Trouble? {
    guard stored.state == .failed else { return nil }
    return stored.trouble.flatMap(Trouble.init(rawValue:)) ?? .error
  }

  /// Creates an export.
  init(
    id: String, request: ExportRequest, account: AccountID, access: StandingAccess,
    baseURL: String, seed: [UInt8], at now: Timestamp
  ) {
    self.request = request
    self.access = access
    self.baseURL = baseURL
    self.seed = seed
    files = []
    stored = StoredExport(id: id, account: account, created: now, content: "")
    stored.content = content.text
  }

  /// Reads a stored export; nil if its content is damaged.
  init?(_ stored: StoredExport) {
    guard let json = try? JSONValue(parsing: Array(stored.content.utf8)),
      let request = json["request"].flatMap(ExportRequest.init(json:)),
      let access = json["access"]?.string, let baseURL = json["base"]?.string,
      let seed = json["seed"]?.array
    else { return nil }
    self.stored = stored
    self.request = request
    self.access = StandingAccess(text: access)
    self.baseURL = baseURL
    self.seed = seed.compactMap { byte in
      (byte.number?.integer).flatMap { UInt8(exactly: $0) }
    }
    files = (json["files"]?.array ?? []).compactMap(ExportFile.init(json:))
  }

  private var content: JSONValue {
    [
      "request": request.json, "access": .string(access.text), "base": .string(baseURL),
      "seed": .array(seed.map { .number(JSONNumber(Int($0))) }),
      "files": .array(files.map(\.json)),
    ]
  }

  /// Returns the cipher of its files, whose key is kept with the export and nowhere else.
  func cipher() throws -> FieldCipher {
    let bytes = SeededBytes(seed: seed)
    return FieldCipher(keys: try KeyRing.generate { count in bytes.next(count) })
  }

  /// Removes the files of this server.
  func removeFiles(_ settings: ServerSettings) {
    for file in files { file.remove(settings) }
  }

  // MARK: Results

  /// Returns the export with all files written.
  func done(_ files: [ExportFile], written: Int) -> ExportJob {
    var job = self
    job.files = files
    job.stored.state = .done
    job.stored.written = Int64(written)
    job.stored.content = job.content.text
    return job
  }

  /// Returns the export as failed.
  func failed(_ trouble: Trouble) -> ExportJob {
    var job = self
    job.stored.state = .failed
    job.stored.trouble = trouble.rawValue
    return job
  }

  /// Returns the export as one that must be made again.
  func waiting() -> ExportJob {
    var job = self
    job.stored.state = .waiting
    return job
  }
}

/// The same bytes for the same seed each time.
private final class SeededBytes: Sendable {
  private let seed: [UInt8]
  private let calls = Mutex<UInt8>(0)

  init(seed: [UInt8]) { self.seed = seed }

  /// Returns the next bytes, at most 32.
  func next(_ count: Int) -> [UInt8] {
    let number = calls.withLock { calls -> UInt8 in
      calls &+= 1
      return calls
    }
    return Array(Fingerprint.digest(of: seed + [number]).prefix(count))
  }
}

extension ServerEnvironment {
  /// The stored bulk exports.
  var exports: ExportJobStore { ExportJobStore(accounts: accounts) }
}
