// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Localization

/// The file of a study: JSON that an operator writes, checks and loads.
package struct StudyFile: Sendable, Hashable {
  /// The study that the file defines.
  package let definition: StudyDefinition
  /// The text of the file.
  package let text: String

  /// The faults of a file that cannot be loaded.
  package struct Refused: Error, Sendable, Hashable {
    /// The faults, in the order of the file's parts.
    package let problems: [StudyProblem]
  }

  /// Reads a file.
  ///
  /// - Throws: ``Refused`` with every fault, if there is any.
  package init(_ bytes: [UInt8]) throws(Refused) {
    let json: JSONValue
    do throws(JSONSyntaxError) {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw Refused(problems: [
        StudyProblem(path: "", line: error.line, rule: .json, text: "\(error)")
      ])
    }
    var reader = StudyReader(bytes)
    let definition = Self.definition(json, &reader)
    guard let definition, reader.problems.isEmpty else {
      throw Refused(problems: reader.problems)
    }
    self.definition = definition
    text = String(decoding: bytes, as: UTF8.self)
  }

  private static let members: Set<String> = [
    "id", "version", "languages", "title", "about", "contact", "days", "consent", "eligibility",
    "arms", "allocation", "questionnaires", "outcomes", "share",
  ]

  private static func definition(
    _ json: JSONValue, _ reader: inout StudyReader
  ) -> StudyDefinition? {
    let top = JSONPlace()
    guard let object = reader.object(json, top, members) else { return nil }
    reader.languages = languages(object["languages"], top.member("languages"), &reader)
    var used: Set<String> = []
    let id = reader.id(object["id"], top.member("id"), used: &used)
    let version = reader.number(object["version"], top.member("version"), 1...9_999)
    let title = reader.text(object["title"], top.member("title"))
    let about = reader.text(object["about"], top.member("about"))
    let contact = reader.string(object["contact"], top.member("contact"))
    let days = reader.number(object["days"], top.member("days"), 1...1_830)
    let consent = reader.consent(object["consent"], top.member("consent"))
    let eligibility = reader.eligibility(object["eligibility"], top.member("eligibility"))
    let arms = reader.arms(object["arms"], top.member("arms"))
    reader.checkFamily(consent, arms, top.member("consent").member("family"))
    let blocks = reader.blocks(object["allocation"], top.member("allocation"), arms)
    let shares = reader.shares(object["share"], top.member("share"))
    let questionnaires = reader.questionnaires(
      object["questionnaires"], top.member("questionnaires"), days: days ?? 1, shares)
    let outcomes = reader.outcomes(object["outcomes"], top.member("outcomes"), shares)
    guard let id, let version, let title, let about, let contact, let days, let consent,
      let eligibility
    else { return nil }
    return StudyDefinition(
      id: StudyID(id), version: version, languages: reader.languages, title: title, about: about,
      contact: contact, days: days, consent: consent, eligibility: eligibility, arms: arms,
      blocks: blocks, questionnaires: questionnaires, outcomes: outcomes, shares: shares)
  }

  private static func languages(
    _ value: JSONValue?, _ place: JSONPlace, _ reader: inout StudyReader
  ) -> [Language] {
    var languages: [Language] = []
    for (index, item) in reader.list(value, place, 1...Language.allCases.count).enumerated() {
      guard let text = reader.string(item, place.item(index)) else { continue }
      guard let language = Language(rawValue: text) else {
        let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
        reader.refuse(place.item(index), .value, "Known languages are \(known).")
        continue
      }
      guard !languages.contains(language) else {
        reader.refuse(place.item(index), .duplicate, "The language is listed twice.")
        continue
      }
      languages.append(language)
    }
    return languages
  }
}
