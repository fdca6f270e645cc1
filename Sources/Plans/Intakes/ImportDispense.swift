// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers

/// A pack that a pharmacy handed out, as a file tells it.
package struct ImportDispense: Sendable, Hashable {
  package let number: Int
  package let subject: String
  package let keys: SourceKeys
  /// The prescriptions on which it was handed out, by the keys under which those may be known.
  package let requestKeys: [String]
  package let digest: String
  package let content: [UInt8]

  /// The most prescriptions of one dispense that are kept and looked up.
  package static let mostRequests = 20

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

/// The bytes of a resource from elsewhere, whose subject is yet to be set.
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
