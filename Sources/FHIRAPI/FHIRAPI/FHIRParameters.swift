// SPDX-License-Identifier: Apache-2.0

import FHIR
import Hummingbird
import Identifiers
import Records
import Web

/// Applies the parameters of a search in order.
enum FHIRParameters {
  /// Returns the applied parameters, for the links of the answer.
  ///
  /// An unsupported parameter is ignored, or refused if the client asks for strict handling.
  /// - Parameters:
  /// - references: The parameters that refer to a patient, with or without the modifier `:Patient`.
  /// - apply: Applies one parameter; false if it is not supported.
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

  /// Returns the patient in a parameter: `ID`, `Patient/ID` or an absolute address of this server.
  static func patientID(_ text: String, _ call: Call) -> PatientID {
    let own = "\(call.baseURL)/fhir/Patient/"
    if text.hasPrefix(own) { return PatientID(String(text.dropFirst(own.count))) }
    return PatientID(text.hasPrefix("Patient/") ? String(text.dropFirst(8)) : text)
  }
}
