// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import JSONAPI

/// The OpenAPI document as generators of clients read it.
@Suite struct OpenAPIShapeTests {
  private static let schemas =
    OpenAPIDescription.json["components"]?["schemas"]?.object ?? JSONObject()

  private struct Operation: Sendable {
    let method: String
    let path: String
    let json: JSONValue

    var place: String { "\(method) \(path)" }
    var statuses: Set<String> { Set(json["responses"]?.object?.keys ?? []) }
  }

  private static let operations: [Operation] = {
    var all: [Operation] = []
    for (path, item) in OpenAPIDescription.json["paths"]?.object ?? JSONObject() {
      for (method, json) in item.object ?? JSONObject() {
        all.append(Operation(method: method, path: path, json: json))
      }
    }
    return all
  }()

  @Test func `every object has a name`() {
    #expect(Self.schemas.count > 60)
    for (name, schema) in Self.schemas {
      for (member, value) in schema["properties"]?.object ?? JSONObject() {
        #expect(value["properties"] == nil, "\(name).\(member)")
        #expect(value["items"]?["properties"] == nil, "\(name).\(member)")
      }
    }
    #expect(
      Self.schemas["Replan"]?["properties"]?["moves"]?["items"]?["$ref"]?.string
        == "#/components/schemas/ReplanMove")
  }

  /// Generators name the type of an inline enumeration by its schema and member.
  @Test func `no inline enumeration gets the name of a schema`() {
    for (name, schema) in Self.schemas {
      for (member, value) in schema["properties"]?.object ?? JSONObject()
      where value["enum"] != nil || value["items"]?["enum"] != nil {
        let made = name + member.prefix(1).uppercased() + member.dropFirst()
        #expect(Self.schemas[made] == nil, "\(made)")
      }
    }
  }

  @Test func `every operation has one of the listed tags, and both ways to sign in are there`() {
    let tags = Set(OpenAPIDescription.json["tags"]?.array?.compactMap { $0["name"]?.string } ?? [])
    for operation in Self.operations {
      let named = operation.json["tags"]?.array?.compactMap(\.string) ?? []
      #expect(named.count == 1 && tags.isSuperset(of: named), "\(operation.place)")
    }
    #expect(tags == Set(Self.operations.compactMap { $0.json["tags"]?[0]?.string }))
    let schemes = OpenAPIDescription.json["components"]?["securitySchemes"]?.object?.keys
    #expect(schemes == ["bearer", "session"])
  }

  /// Any address with %00 is refused, and a key must be short and visible.
  @Test func `refused parameters are described`() {
    var keys = 0
    for operation in Self.operations {
      let parameters = operation.json["parameters"]?.array ?? []
      if !parameters.isEmpty { #expect(operation.statuses.contains("400"), "\(operation.place)") }
      for parameter in parameters where parameter["name"]?.string == "Idempotency-Key" {
        #expect(parameter["schema"]?["pattern"]?.string == "^[!-~]{1,255}$")
        keys += 1
      }
    }
    #expect(keys > 10)
  }

  /// Each row is an operation's parameter with its type and limits, as the server enforces them.
  @Test(arguments: [
    ("import", "accept", #"{"type":"boolean"}"#), ("import", "dryRun", #"{"type":"boolean"}"#),
    ("messages", "before", #"{"type":"integer","minimum":1}"#),
    ("messages", "limit", #"{"type":"integer","minimum":1,"maximum":200}"#),
    ("diaryEntries", "limit", #"{"type":"integer","minimum":1,"maximum":1000}"#),
  ])
  func `numbers and booleans are described`(operation: String, name: String, schema: String) throws
  {
    let found = try #require(
      Self.operations.first { $0.json["operationId"]?.string == operation })
    let parameter = found.json["parameters"]?.array?.first { $0["name"]?.string == name }
    let expected = try JSONValue(parsing: schema)
    #expect(parameter?["schema"] == expected)
  }

  @Test func `every example has the required members of its schema, and listed values`() {
    for (name, schema) in Self.schemas {
      let example = schema["examples"]?[0]
      #expect(example != nil, "\(name)")
      for required in schema["required"]?.array?.compactMap(\.string) ?? [] {
        let value = example?[required]
        #expect(value != nil && value != .null, "\(name).\(required)")
        if let listed = schema["properties"]?[required]?["enum"]?.array, let value {
          #expect(listed.contains(value), "\(name).\(required)")
        }
      }
    }
  }

  @Test func `every code of a problem in the sources is listed`() throws {
    let sources = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "../../../Sources").standardized
    var found: Set<String> = []
    for module in ["JSONAPI", "Presentation", "Web", "ImportPages"] {
      let folder = sources.appending(path: module)
      let files = try #require(FileManager.default.enumerator(atPath: folder.path()))
      for case let file as String in files where file.hasSuffix(".swift") {
        let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        found.formUnion(
          text.matches(of: /(?:Failure|self\.init)\(\s*\.\w+,\s*code:\s*"([a-z-]+)"/)
            .map { String($0.1) })
        found.formUnion(
          text.matches(of: /\.(?:unprocessable|badRequest)\(\s*"([a-z-]+)"/).map { String($0.1) })
      }
    }
    #expect(found.count > 25)
    #expect(found.subtracting(OpenAPIProblem.codes).isEmpty)
    #expect(OpenAPIProblem.codes == Set(OpenAPIProblem.codes).sorted())
  }

  @Test func `every answer to a wrong body is described`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      for operation in Self.operations where operation.json["requestBody"] != nil {
        let method = try #require(HTTPRequest.Method(rawValue: operation.method.uppercased()))
        let path = operation.path.replacing(/\{\w+\}/, with: "nothing-here")
        for (type, body) in [
          ("text/plain", "{}"), ("application/json", "{"), ("application/json", "[]"),
        ] {
          let answer = try await harness.client.executeRequest(
            uri: path, method: method, headers: ann.token.with([.contentType: type]),
            body: ByteBuffer(string: body))
          #expect(
            operation.statuses.contains(String(answer.status.code)),
            "\(operation.place) \(type) \(body): \(answer.status)")
          // The events of devices in the home are taken with their own tokens only.
          if type == "text/plain", !path.contains("nothing-here"),
            path != "/api/v1/home-devices/events"
          {
            #expect(answer.status == .unsupportedMediaType, "\(operation.place)")
          }
        }
      }
    }
  }

  @Test func `the members of a question are described`() {
    let problem = Self.schemas["Problem"]?["properties"]
    #expect(
      problem?["taken"]?["items"]?["$ref"]?.string == "#/components/schemas/TakenIntake")
    #expect(
      problem?["limits"]?["items"]?["$ref"]?.string == "#/components/schemas/ExceededLimit")
    #expect(problem?["code"]?["$ref"]?.string == "#/components/schemas/ProblemCode")
  }
}
