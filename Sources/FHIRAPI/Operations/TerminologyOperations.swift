// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Web

/// `ValueSet/$expand`, `ValueSet/$validate-code` and `CodeSystem/$lookup`, for the closed value sets of R4.
enum TerminologyOperations {
  static let routes: [Route] = [HTTPRequest.Method.get, .post].flatMap { method -> [Route] in
    [
      .fhir(method, "/fhir/ValueSet/$expand") { call, _ in try await expand(call) },
      .fhir(method, "/fhir/ValueSet/$validate-code") { call, _ in try await validate(call) },
      .fhir(method, "/fhir/CodeSystem/$lookup") { call, _ in try await lookup(call) },
    ]
  }

  private static let largestCount = 1_000

  // MARK: Expanding

  private static func expand(_ call: Call) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let arguments = try await OperationArguments.read(
      call, taking: ["url", "valueSetVersion", "filter", "count", "offset"])
    let name = try valueSet(arguments)
    let filter = try arguments.text("filter")?.lowercased() ?? ""
    let codes = CodeValueSets.codes(of: name).filter {
      filter.isEmpty || $0.code.lowercased().contains(filter)
        || $0.display.lowercased().contains(filter)
    }
    let offset = try arguments.count("offset") ?? 0
    let count = min(try arguments.count("count") ?? largestCount, largestCount)
    let shown = codes.dropFirst(offset).prefix(count)
    var expansion: JSONValue = [
      "timestamp": .string(UTC.text(call.now)),
      "total": .number(JSONNumber(codes.count)), "offset": .number(JSONNumber(offset)),
    ]
    if !shown.isEmpty {
      expansion["contains"] = .array(
        shown.map { code in
          [
            "system": .string(code.system), "code": .string(code.code),
            "display": .string(code.display),
          ]
        })
    }
    return JSONResponse.make(
      [
        "resourceType": "ValueSet", "url": .string(CodeValueSets.base + name),
        "version": .string(CodeValueSets.version), "status": "active", "expansion": expansion,
      ], mediaType: FHIRMedia.type)
  }

  /// Returns the name of the value set that the arguments ask for.
  private static func valueSet(_ arguments: OperationArguments) throws -> String {
    guard let address = try arguments.text("url") else {
      throw OperationFault.bad("url", .required, "Name the value set in url.")
    }
    let version = try arguments.text("valueSetVersion")
    guard version == nil || version == CodeValueSets.version,
      let name = CodeValueSets.name(of: address)
    else {
      throw OperationFault.bad(
        "url", .notFound, "This server does not have this value set.", status: .notFound)
    }
    return name
  }

  // MARK: Codes

  private static func validate(_ call: Call) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let arguments = try await OperationArguments.read(
      call,
      taking: [
        "url", "valueSetVersion", "code", "system", "display", "coding", "codeableConcept",
      ])
    let name = try valueSet(arguments)
    let codings = try codings(arguments)
    let found = CodeValueSets.codes(of: name).first { known in
      codings.contains { $0.code == known.code && [nil, known.system].contains($0.system) }
    }
    guard let found else {
      return parameters([
        ["name": "result", "valueBoolean": false],
        ["name": "message", "valueString": "The code is not in the value set \(name)."],
      ])
    }
    var answer: [JSONValue] = [
      ["name": "result", "valueBoolean": true],
      ["name": "display", "valueString": .string(found.display)],
    ]
    if let display = codings.first(where: { $0.code == found.code })?.display,
      display != found.display
    {
      answer.append(["name": "message", "valueString": "The display differs from this server's."])
    }
    return parameters(answer)
  }

  private static func lookup(_ call: Call) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let arguments = try await OperationArguments.read(
      call, taking: ["code", "system", "version", "coding"])
    let codings = try codings(arguments)
    guard let coding = codings.first, let system = coding.system else {
      throw OperationFault.bad("system", .required, "Name the code system in system.")
    }
    let version = try arguments.text("version")
    guard CodeValueSets.knows(system: system), version == nil || version == CodeValueSets.version
    else {
      throw OperationFault.bad(
        "system", .notFound, "This server does not have this code system.", status: .notFound)
    }
    guard let found = CodeValueSets.code(coding.code, of: system) else {
      throw OperationFault.bad(
        "code", .notFound, "This server does not have this code of the system.", status: .notFound)
    }
    return parameters([
      ["name": "name", "valueString": .string(String(system.split(separator: "/").last ?? ""))],
      ["name": "version", "valueString": .string(CodeValueSets.version)],
      ["name": "display", "valueString": .string(found.display)],
    ])
  }

  private struct Coding {
    let system: String?
    let code: String
    let display: String?

    init(system: String?, code: String, display: String?) {
      self.system = system
      self.code = code
      self.display = display
    }

    init(_ json: JSONValue, in parameter: String) throws {
      guard let code = json["code"]?.string, !code.isEmpty else {
        throw OperationFault.bad(parameter, .required, "\(parameter) must have a code.")
      }
      self.init(system: json["system"]?.string, code: code, display: json["display"]?.string)
    }
  }

  /// Returns the codes to check: exactly one of the three ways to name them must be used.
  private static func codings(_ arguments: OperationArguments) throws -> [Coding] {
    let code = try arguments.text("code")
    let coding = try arguments.value("coding")
    let concept = try arguments.value("codeableConcept")
    guard [code != nil, coding != nil, concept != nil].count(where: { $0 }) == 1 else {
      throw OperationFault.bad("code", .required, "Send one of code, coding and codeableConcept.")
    }
    if let code {
      return [
        Coding(
          system: try arguments.text("system"), code: code, display: try arguments.text("display"))
      ]
    }
    if let coding { return [try Coding(coding, in: "coding")] }
    return try (concept?["coding"]?.array ?? []).map { try Coding($0, in: "codeableConcept") }
  }

  private static func parameters(_ list: [JSONValue]) -> Response {
    JSONResponse.make(
      ["resourceType": "Parameters", "parameter": .array(list)], mediaType: FHIRMedia.type)
  }
}
