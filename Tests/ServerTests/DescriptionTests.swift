// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import FHIRAPI
@testable import JSONAPI
@testable import Server
@testable import Web

/// The descriptions list exactly what exists.
@Suite struct DescriptionTests {
  @Test func `the OpenAPI document lists exactly the routes of the JSON API`() async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(.get, "/api/v1/openapi.json")
      let paths = try #require(try answer.json()["paths"]?.object)
      var described: Set<String> = []
      for (path, item) in paths {
        for (method, _) in item.object ?? JSONObject([]) {
          described.insert("\(method.uppercased()) \(path)")
        }
      }
      let served = try RegimenServer(environment: harness.environment).routes
        // Apps learn about the authorization server from its own documents.
        .filter {
          $0.surface == .api && !$0.path.hasPrefix("/oauth/") && !$0.path.hasPrefix("/.well-known/")
        }
        .map { route in
          let path = route.path.split(separator: "/").map { piece in
            piece.hasPrefix(":") ? "{\(piece.dropFirst())}" : String(piece)
          }
          return "\(route.method.rawValue) /\(path.joined(separator: "/"))"
        }
      #expect(described == Set(served))
    }
  }

  @Test func `every reference of the OpenAPI document resolves`() throws {
    let document = OpenAPIDescription.json
    let schemas = try #require(document["components"]?["schemas"]?.object)
    var open: [JSONValue] = [document]
    var count = 0
    while let value = open.popLast() {
      if let reference = value["$ref"]?.string {
        let name = try #require(reference.split(separator: "/").last)
        #expect(schemas[String(name)] != nil, "\(reference)")
        count += 1
      }
      open += value.array ?? []
      for (_, member) in value.object ?? JSONObject([]) { open.append(member) }
    }
    #expect(count > 10)
  }

  @Test func `the capability statement lists what is served`() async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(.get, "/fhir/metadata")
      #expect(answer.status == .ok)
      #expect(answer.headers[.contentType] == "application/fhir+json; charset=utf-8")
      let json = try answer.json()
      #expect(json["fhirVersion"]?.string == "4.0.1")
      let resources = try #require(json["rest"]?[0]?["resource"]?.array)
      #expect(
        resources.compactMap { $0["type"]?.string }
          == FHIRType.allCases.map(\.rawValue) + ["CodeSystem", "ValueSet"])
      let served = try Set(
        RegimenServer(environment: harness.environment).routes.map {
          "\($0.method.rawValue) \($0.path)"
        })
      let routes = [
        "read": "GET :id", "vread": "GET :id/_history/:version",
        "history-instance": "GET :id/_history", "history-type": "GET _history",
        "search-type": "GET", "create": "POST", "update": "PUT :id", "patch": "PATCH :id",
        "delete": "DELETE :id",
      ]
      for resource in resources {
        let type = try #require(resource["type"]?.string)
        for interaction in resource["interaction"]?.array ?? [] {
          let code = try #require(interaction["code"]?.string)
          let parts = try #require(routes[code], "\(code)").split(separator: " ")
          let address = ["/fhir/\(type)"] + parts.dropFirst().map { "/\($0)" }
          #expect(served.contains("\(parts[0]) \(address.joined())"), "\(type) \(code)")
        }
      }
    }
  }
}
