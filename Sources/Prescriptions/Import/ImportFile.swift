// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Identifiers
import Plans

/// What a file holds that can be taken over, and what of it cannot.
package struct ImportFile: Sendable {
  /// The people that its prescriptions and administrations are of, by the order of the file.
  package var subjects: [ImportSubject] = []
  package var prescriptions: [ImportPrescription] = []
  /// Administrations that answer no prescription of the file.
  package var administrations: [ImportAdministration] = []
  /// What was handed out.
  package var dispenses: [ImportDispense] = []
  package var problems: [ImportProblem] = []
  /// All problems, also those beyond the number that is kept.
  package var problemCount = 0
  /// How many resources of other types there are, by type.
  package var ignored: [String: Int] = [:]
  package var entryCount = 0
  /// The Bundle is one page of several.
  package var hasFurtherPages = false

  /// The most problems that are kept one by one.
  package static let keptProblems = 1_000

  package init() {}

  package mutating func note(_ problem: ImportProblem) {
    problemCount += 1
    if problems.count < Self.keptProblems { problems.append(problem) }
  }
}

/// Somebody whom a file speaks of.
package struct ImportSubject: Sendable, Hashable {
  /// How the file names the person: its own key, the same for all references to one person.
  package let key: String
  /// The number of the Patient's entry; nil where the file only refers to the person.
  package let number: Int?
  package let name: String?
  package let familyName: String?
  package let givenNames: [String]
  package let birthDate: String?
  /// `system|value`.
  package let identifiers: Set<String>

  init(key: String, number: Int?, patient: JSONValue?, display: String?) {
    self.key = key
    self.number = number
    let view = patient.map { PatientView($0) }
    name = view?.displayName ?? display
    familyName = view?.familyName
    givenNames = view?.givenNames ?? []
    birthDate = view?.birthDate
    identifiers = Set(patient.map(SourceKeys.identifiers) ?? [])
  }
}

/// A prescription of a file in the form in which it is kept: R4, with its medicine inside.
package struct ImportPrescription: Sendable, Hashable {
  package let number: Int
  package let subject: String
  package let keys: SourceKeys
  /// What it replaces, as the file names it.
  package let priorKeys: [String]
  /// Whether another active prescription of the file replaces this one.
  package var isReplaced = false
  package let digest: String
  /// Milliseconds since 1970 of `meta.lastUpdated`.
  package let updated: Int64?
  /// The resource without id, and with a subject yet to be set.
  package let content: [UInt8]
  /// Elements of DSTU2 that R4 has no place for.
  package let notes: [DSTU2.Note]
  package var administrations: [ImportAdministration] = []

  /// The resource of a patient.
  package func resource(of patient: PatientID) throws(ImportProblemReason) -> JSONValue {
    try ImportedContent.entry(content, patient: patient)
  }
}

/// A dose given, or not given, as a file tells it.
package struct ImportAdministration: Sendable, Hashable {
  package let number: Int
  package let subject: String
  package let keys: SourceKeys
  /// The prescription that it answers, by the keys under which that may be known.
  package let requestKeys: [String]
  package let digest: String
  package let content: [UInt8]

  func resource(of patient: PatientID) throws(ImportProblemReason) -> JSONValue {
    try ImportedContent.entry(content, patient: patient)
  }
}

extension ImportedContent {
  /// Returns the resource of an entry, or the reason why it cannot be read.
  fileprivate static func entry(
    _ content: [UInt8], patient: PatientID
  ) throws(ImportProblemReason) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try resource(content, patient: patient)
    } catch {
      throw .unreadable(.syntax(error))
    }
  }
}
