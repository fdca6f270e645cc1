// SPDX-License-Identifier: Apache-2.0

import FHIR
import Hummingbird
import Identifiers
import Records
import Web

/// Takes the parameters of a search one after the other.
enum FHIRParameters {
  /// Those that were used, as they go into the links of the answer.
  ///
  /// One that is not supported is left out, or refused where the client asks for strict handling.
  /// - Parameters:
  ///   - references: the parameters that name a patient, and may do so with the modifier `:Patient`.
  ///   - apply: takes one; false for one that is not supported.
  static func take(
    of call: Call, naming references: Set<String>, _ apply: (SearchParameter) throws -> Bool
  ) throws -> [(String, String)] {
    var used: [(String, String)] = []
    let raw = SearchQueryParser.pairs(query: call.request.uri.query ?? "")
    for (parameter, pair) in zip(call.query, raw) {
      if let modifier = parameter.modifier,
        modifier != "Patient" || !references.contains(parameter.name)
      {
        throw Failure.badRequest(
          "not-supported", "The modifier :\(modifier) is not supported. Leave it out.")
      }
      if try apply(parameter) {
        used.append(pair)
      } else if call.request.headers[.prefer]?.contains("handling=strict") ?? false {
        throw Failure.badRequest(
          "not-supported", "The parameter \(parameter.name) is not supported. Leave it out.")
      }
    }
    return used
  }

  /// The patient that a parameter names: `ID`, `Patient/ID` or the absolute address of one of ours.
  static func patientID(_ text: String, _ call: Call) -> PatientID {
    let own = "\(call.baseURL)/fhir/Patient/"
    if text.hasPrefix(own) { return PatientID(String(text.dropFirst(own.count))) }
    return PatientID(text.hasPrefix("Patient/") ? String(text.dropFirst(8)) : text)
  }
}
