// SPDX-License-Identifier: Apache-2.0
import Foundation

/// All messages of one language, read from the embedded files once.
final class Catalogue: Sendable {
  /// A fault in a catalogue file, which a test finds before any user could.
  struct Fault: Sendable, Hashable, CustomStringConvertible {
    let path: String
    let line: Int
    let problem: String

    var description: String { "\(path):\(line): \(problem)" }
  }

  let language: SentenceLanguage
  let messages: [String: Message]
  /// The file that contains each key, by its name without the extension.
  let features: [String: String]
  let faults: [Fault]

  init(language: SentenceLanguage, files: [(path: String, content: String)]) {
    var messages: [String: Message] = [:]
    var features: [String: String] = [:]
    var faults: [Fault] = []
    let folder = "Catalogues/\(language.rawValue)/"
    let ending = ".messages"
    for file in files where file.path.hasPrefix(folder) && file.path.hasSuffix(ending) {
      let feature = String(file.path.dropFirst(folder.count).dropLast(ending.count))
      for entry in CatalogueFile.entries(in: file.content) {
        func note(_ problem: String) {
          faults.append(Fault(path: file.path, line: entry.line, problem: problem))
        }
        guard let key = entry.key else {
          note("expected `key = text`")
          continue
        }
        if messages[key] != nil { note("\(key) appears twice") }
        features[key] = feature
        do throws(MessageSyntaxError) {
          messages[key] = try MessageParser.parse(entry.text)
        } catch {
          note("\(key): \(error)")
          messages[key] = Message(literal: entry.text)
        }
      }
    }
    self.language = language
    self.messages = messages
    self.features = features
    self.faults = faults
  }

  private static let en = Catalogue(language: .en, files: EmbeddedResources.files)
  private static let de = Catalogue(language: .de, files: EmbeddedResources.files)
  private static let nb = Catalogue(language: .nb, files: EmbeddedResources.files)
  private static let th = Catalogue(language: .th, files: EmbeddedResources.files)
  private static let tr = Catalogue(language: .tr, files: EmbeddedResources.files)
  private static let fr = Catalogue(language: .fr, files: EmbeddedResources.files)
  private static let es = Catalogue(language: .es, files: EmbeddedResources.files)
  private static let it = Catalogue(language: .it, files: EmbeddedResources.files)
  private static let pt = Catalogue(language: .pt, files: EmbeddedResources.files)
  private static let nl = Catalogue(language: .nl, files: EmbeddedResources.files)

  /// Returns the catalogue of a language, parsed on first use.
  static func of(_ language: SentenceLanguage) -> Catalogue {
    switch language {
    case .en: en
    case .de: de
    case .nb: nb
    case .th: th
    case .tr: tr
    case .fr: fr
    case .es: es
    case .it: it
    case .pt: pt
    case .nl: nl
    }
  }
}
