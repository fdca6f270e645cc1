// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Hummingbird
import Identifiers
import Web

/// Searches of a type, by address or by form, and of a type among the resources of one patient.
enum FHIRSearchRoutes {
  static let all: [Route] = FHIRType.allCases.flatMap(routes) + compartments

  private static func routes(_ type: FHIRType) -> [Route] {
    [
      .fhir(.get, "/fhir/\(type.rawValue)") { call, signedIn in
        try await search(type, call, signedIn)
      },
      Route.fhir(.post, "/fhir/\(type.rawValue)/_search") { call, signedIn in
        try await search(type, call, signedIn, form: try await form(of: call))
      }.onlyReading(),
    ]
  }

  private static let compartments = FHIRType.allCases.filter(\.isInPatientCompartment)
    .flatMap { type -> [Route] in
      let address = "/fhir/Patient/:id/\(type.rawValue)"
      return [
        .fhir(.get, address) { call, signedIn in
          try await search(type, call, signedIn, compartment: try compartment(call))
        },
        Route.fhir(.post, "\(address)/_search") { call, signedIn in
          let compartment = try compartment(call)
          return try await search(
            type, call, signedIn, form: try await form(of: call), compartment: compartment)
        }.onlyReading(),
      ]
    }

  private static func compartment(_ call: Call) throws -> PatientID {
    let id = try call.parameter("id")
    try ResourceReader.check(id)
    return PatientID(id)
  }

  private static func form(of call: Call) async throws -> [(name: String, value: String)] {
    try FHIRQuery.pairs(try await FormBody.source(of: call))
  }

  private static func search(
    _ type: FHIRType, _ call: Call, _ signedIn: SignedIn,
    form: [(name: String, value: String)] = [], compartment: PatientID? = nil
  ) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let engine = FHIRSearchEngine(
      type: type, caller: FHIRCaller(call: call, signedIn: signedIn), compartment: compartment)
    let pairs = try FHIRQuery.pairs(call.request.uri.query ?? "")
    return try await engine.response(pairs + form)
  }
}
