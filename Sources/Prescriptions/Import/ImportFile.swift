// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Identifiers
import Plans

/// The content of an import file: the entries to import, and the problems with the others.
package struct ImportFile: Sendable {
  /// The people to whom its entries belong, in the order of the file.
  package var subjects: [ImportSubject] = []
  /// The prescriptions, each with the administrations that answer it.
  package var prescriptions: [ImportPrescription] = []
  /// The administrations that answer no prescription of the file.
  package var administrations: [ImportAdministration] = []
  /// The dispenses of pharmacies.
  package var dispenses: [ImportDispense] = []
  /// The heart rates, steps and weights.
  package var measurements: [ImportMeasurement] = []
  /// The first problems, at most ``keptProblems``.
  package var problems: [ImportProblem] = []
  /// The number of all problems, including those that are not kept.
  package var problemCount = 0
  /// The numbers of resources of other types, by type.
  package var ignored: [String: Int] = [:]
  /// The number of entries in the file.
  package var entryCount = 0
  /// True if the Bundle is one page of several.
  package var hasFurtherPages = false

  /// The maximum number of problems that are kept individually.
  package static let keptProblems = 1_000

  /// Creates an empty file.
  package init() {}

  /// Adds a problem; beyond ``keptProblems`` it is only counted.
  package mutating func note(_ problem: ImportProblem) {
    problemCount += 1
    if problems.count < Self.keptProblems { problems.append(problem) }
  }
}

/// A person to whom entries of a file belong.
package struct ImportSubject: Sendable, Hashable {
  /// The file's own key of the person, the same for all references to them.
  package let key: String
  /// The number of the Patient's entry; nil if the file only refers to the person.
  package let number: Int?
  /// The name to show, from the Patient or from the reference; nil if there is none.
  package let name: String?
  /// The family name; nil if the Patient gives none.
  package let familyName: String?
  /// The given names; empty if the Patient gives none.
  package let givenNames: [String]
  /// The birth date as written, such as `1948-05-01` or `1948`; nil if the Patient gives none.
  package let birthDate: String?
  /// The identifiers of the Patient, as `system|value`.
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

/// A prescription of a file as it is stored: in FHIR R4, with its medicine contained.
package struct ImportPrescription: Sendable, Hashable {
  /// The place of its entry in the file, from 1.
  package let number: Int
  /// The key of the person to whom it belongs.
  package let subject: String
  /// The keys under which its source knows it.
  package let keys: SourceKeys
  /// The keys of the prescriptions that it replaces.
  package let priorKeys: [String]
  /// The keys of the prescriptions that it carries out, such as the entry of a medication plan for which a
  /// pharmacy hands out a pack.
  package let basisKeys: [String]
  /// True if another active prescription of the file replaces it.
  package var isReplaced = false
  /// A digest of the content, with which an unchanged prescription is recognised.
  package let digest: String
  /// The time of `meta.lastUpdated`, in milliseconds since 1970; nil if there is none.
  package let updated: Int64?
  /// The resource as JSON, without its id; its subject is set when it is imported.
  package let content: [UInt8]
  /// The elements of DSTU2 that have no place in R4.
  package let notes: [DSTU2.Note]
  /// The administrations of the file that answer it.
  package var administrations: [ImportAdministration] = []

  /// Returns the resource with a patient as its subject.
  package func resource(of patient: PatientID) throws(ImportProblemReason) -> JSONValue {
    try ImportedContent.entry(content, patient: patient)
  }
}

/// A dose that was given or not given, from a file.
package struct ImportAdministration: Sendable, Hashable {
  /// The place of its entry in the file, from 1.
  package let number: Int
  /// The key of the person to whom it belongs.
  package let subject: String
  /// The keys under which its source knows it.
  package let keys: SourceKeys
  /// The keys under which the prescription that it answers may be known; empty if it names none.
  package let requestKeys: [String]
  /// A digest of the content, with which an unchanged administration is recognised.
  package let digest: String
  /// The resource as JSON; its subject is set when it is imported.
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
