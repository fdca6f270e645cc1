// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers

/// A pack that a pharmacy handed out, as found in a file.
package struct ImportDispense: Sendable, Hashable {
  /// The position of the resource in the file.
  package let number: Int
  /// The key of the subject in the file, to which the import assigns a patient.
  package let subject: String
  /// The keys by which its own system knows it.
  package let keys: SourceKeys
  /// The keys under which the prescriptions that it was handed out on may be known.
  package let requestKeys: [String]
  /// The digest of its content, by which a repeated import is recognised.
  package let digest: String
  /// The bytes of the resource, without the patient here as its subject.
  package let content: [UInt8]

  /// The maximum number of prescriptions of one dispense that are kept and looked up.
  package static let mostRequests = 20

  /// Creates a dispense.
  package init(
    number: Int, subject: String, keys: SourceKeys, requestKeys: [String], digest: String,
    content: [UInt8]
  ) {
    self.number = number
    self.subject = subject
    self.keys = keys
    self.requestKeys = requestKeys
    self.digest = digest
    self.content = content
  }

  /// Returns the resource with the patient as its subject.
  package func resource(of patient: PatientID) throws(JSONSyntaxError) -> JSONValue {
    try ImportedContent.resource(content, patient: patient)
  }
}

/// The bytes of a resource from elsewhere, whose subject is not set yet.
package enum ImportedContent {
  /// Returns the resource with the patient as its subject.
  package static func resource(
    _ content: [UInt8], patient: PatientID
  ) throws(JSONSyntaxError) -> JSONValue {
    var resource = try JSONValue(parsing: content)
    var subject = resource["subject"] ?? .object(JSONObject())
    subject["reference"] = .string("Patient/\(patient)")
    resource["subject"] = subject
    return resource
  }
}
