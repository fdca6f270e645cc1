// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Identifiers
import Storage

/// A command of the operator on all the data.
///
/// It is sent through the socket of the running server, or runs directly under the lock if no
/// server runs.
package enum MaintenanceCommand: Sendable {
  /// Writes a backup to an absolute path, encrypted with a passphrase or a 32-byte key.
  case backup(to: String, secret: BackupSecret)
  /// Verifies the stored data.
  ///
  /// `anchors` is the path of a file of audit anchors that were collected elsewhere; nil without
  /// one.
  case verify(anchors: String?)
  /// Recomputes what is derived from the recorded facts.
  case rebuild
  /// Checks everything that the installation depends on, except its data.
  case doctor
  /// Writes a copy of everything about a person to a file that does not exist yet.
  case export(patient: PatientID, to: String)
  /// Permanently erases everything about a person.
  case erase(patient: PatientID)
  /// Encrypts sealed fields with a new key.
  ///
  /// If a path is given, the next keys are only written there.
  case changeKey(newKeys: String?)

  /// The command as sent through the socket.
  package var json: JSONValue {
    switch self {
    case .backup(let path, .passphrase(let text)):
      ["command": "backup", "to": .string(path), "passphrase": .string(text)]
    case .backup(let path, .key(let bytes)):
      [
        "command": "backup", "to": .string(path),
        "key": .string(Data(bytes).base64EncodedString()),
      ]
    case .verify(let anchors):
      ["command": "verify", "anchors": anchors.map(JSONValue.string) ?? .null]
    case .rebuild: ["command": "rebuild"]
    case .doctor: ["command": "doctor"]
    case .export(let patient, let path):
      ["command": "export", "patient": .string(patient.text), "to": .string(path)]
    case .erase(let patient): ["command": "erase", "patient": .string(patient.text)]
    case .changeKey(let path):
      ["command": "change-key", "newKeys": path.map(JSONValue.string) ?? .null]
    }
  }

  /// Reads a command; nil if it is invalid.
  package init?(json: JSONValue) {
    switch json["command"]?.string {
    case "backup":
      guard let path = json["to"]?.string, path.hasPrefix("/") else { return nil }
      if let text = json["passphrase"]?.string {
        self = .backup(to: path, secret: .passphrase(text))
      } else if let key = json["key"]?.string.flatMap({ Data(base64Encoded: $0) }),
        key.count == 32
      {
        self = .backup(to: path, secret: .key(Array(key)))
      } else {
        return nil
      }
    case "verify":
      let path = json["anchors"] ?? .null
      guard path.isNull || path.string?.hasPrefix("/") == true else { return nil }
      self = .verify(anchors: path.string)
    case "rebuild": self = .rebuild
    case "doctor": self = .doctor
    case "export":
      guard let patient = json["patient"]?.string, let path = json["to"]?.string,
        path.hasPrefix("/")
      else { return nil }
      self = .export(patient: PatientID(patient), to: path)
    case "erase":
      guard let patient = json["patient"]?.string else { return nil }
      self = .erase(patient: PatientID(patient))
    case "change-key":
      let path = json["newKeys"] ?? .null
      guard path.isNull || path.string?.hasPrefix("/") == true else { return nil }
      self = .changeKey(newKeys: path.string)
    default: return nil
    }
  }
}

/// The outcome of a command: lines for the operator and a verdict.
package struct MaintenanceReport: Sendable, Equatable {
  /// The lines to print.
  package var lines: [String]
  /// True if nothing is wrong; otherwise the program exits with 1.
  package var isWell: Bool

  /// Creates a report of lines and a verdict.
  package init(lines: [String], isWell: Bool) {
    self.lines = lines
    self.isWell = isWell
  }

  /// The report as sent through the socket.
  package var json: JSONValue {
    ["lines": .array(lines.map(JSONValue.string)), "well": .bool(isWell)]
  }

  /// Reads a report from its JSON; nil if it is malformed.
  package init?(json: JSONValue) {
    guard let lines = json["lines"]?.array, let isWell = json["well"]?.bool else { return nil }
    self.init(lines: lines.compactMap(\.string), isWell: isWell)
  }
}
