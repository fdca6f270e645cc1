// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Web

/// The arguments of an operation: the query of a GET, and the Parameters resource of a POST.
struct OperationArguments: Sendable {
  /// One argument; `value` is that of `value[x]`, or the text of a query parameter.
  struct Argument: Sendable {
    let name: String
    let value: JSONValue?
    let resource: JSONValue?
  }

  /// Parameters of the request itself, which every operation takes.
  private static let ofRequest: Set<String> = ["_format", "_pretty"]
  private static let mostArguments = 100

  private(set) var arguments: [Argument] = []

  /// Reads the arguments of a call.
  ///
  /// - Parameter names: The names that the operation knows; any other is refused.
  static func read(_ call: Call, taking names: Set<String>) async throws -> OperationArguments {
    var arguments = OperationArguments()
    try arguments.take(query: call.request.uri.query ?? "", names)
    if call.request.method == .post, let body = try await OperationBody.ifSent(with: call) {
      try arguments.take(body, names)
    }
    return arguments
  }

  /// Creates arguments from the query.
  init(query: String, taking names: Set<String>) throws {
    try take(query: query, names)
  }

  /// Creates an empty list.
  init() {}

  private mutating func take(query: String, _ names: Set<String>) throws {
    for (name, value) in try FHIRQuery.pairs(query)
    where !Self.ofRequest.contains(name) {
      try add(Argument(name: name, value: .string(value), resource: nil), names)
    }
  }

  /// Adds the arguments of a Parameters resource.
  mutating func take(_ body: JSONValue, _ names: Set<String>) throws {
    guard body["resourceType"]?.string == "Parameters" else {
      throw OperationFault.bad(
        "resourceType", .structure, "Send the arguments as a Parameters resource.")
    }
    guard let list = body["parameter"] else { return }
    guard let parameters = list.array else {
      throw OperationFault.bad("Parameters.parameter", .structure, "It must be a list.")
    }
    for (index, parameter) in parameters.enumerated() {
      guard let name = parameter["name"]?.string else {
        throw OperationFault.bad(
          "Parameters.parameter[\(index)].name", .required, "Each argument needs a name.")
      }
      let value = parameter.object?.first { $0.key.hasPrefix("value") }?.value
      try add(Argument(name: name, value: value, resource: parameter["resource"]), names)
    }
  }

  private mutating func add(_ argument: Argument, _ names: Set<String>) throws {
    guard names.contains(argument.name) else {
      throw OperationFault.bad(
        argument.name, .notSupported,
        "The operation does not support \(argument.name.prefix(100)). Leave it out.")
    }
    guard arguments.count < Self.mostArguments else {
      throw OperationFault.bad(
        argument.name, .tooCostly, "Send at most \(Self.mostArguments) parameters.")
    }
    arguments.append(argument)
  }

  // MARK: Values

  /// Returns the value of an argument; nil if it was not sent.
  func value(_ name: String) throws -> JSONValue? {
    let named = arguments.filter { $0.name == name }
    guard named.count <= 1 else {
      throw OperationFault.bad(name, .value, "Send \(name) once.")
    }
    guard let only = named.first else { return nil }
    guard let value = only.value else {
      throw OperationFault.bad(name, .value, "\(name) must have a value.")
    }
    return value
  }

  /// Returns the text of an argument; nil if it was not sent.
  func text(_ name: String) throws -> String? {
    guard let value = try value(name) else { return nil }
    guard let text = value.string, !text.isEmpty else {
      throw OperationFault.bad(name, .value, "\(name) must be a text.")
    }
    return text
  }

  /// Returns the texts of an argument, which may be sent several times or as a list with commas.
  func texts(_ name: String) throws -> [String] {
    try arguments.filter { $0.name == name }.flatMap { argument -> [String] in
      guard let text = argument.value?.string, !text.isEmpty else {
        throw OperationFault.bad(name, .value, "\(name) must be a text.")
      }
      return text.split(separator: ",").map(String.init)
    }
  }

  /// Returns a whole number of 0 or more; nil if it was not sent.
  func count(_ name: String) throws -> Int? {
    guard let value = try value(name) else { return nil }
    guard let number = value.number?.integer ?? value.string.flatMap({ Int($0) }), number >= 0
    else { throw OperationFault.bad(name, .value, "\(name) must be a whole number of 0 or more.") }
    return number
  }

  /// Returns a yes or no; nil if it was not sent.
  func flag(_ name: String) throws -> Bool? {
    guard let value = try value(name) else { return nil }
    switch (value.bool, value.string) {
    case (let flag?, _): return flag
    case (_, "true"): return true
    case (_, "false"): return false
    default: throw OperationFault.bad(name, .value, "\(name) must be true or false.")
    }
  }

  /// Returns a date or time with a prefix of a search before it; nil if it was not sent.
  func date(_ name: String, prefix: DateSearchValue.Prefix) throws -> DateSearchValue? {
    guard let text = try text(name) else { return nil }
    guard text.first?.isNumber == true, let date = DateSearchValue(prefix.rawValue + text) else {
      throw OperationFault.bad(name, .value, "\(name) must be a date or time, such as 2026-03-01.")
    }
    return date
  }

  /// Returns the resource of an argument; nil if it was not sent.
  func resource(_ name: String) throws -> JSONValue? {
    let named = arguments.filter { $0.name == name }
    guard named.count <= 1 else {
      throw OperationFault.bad(name, .value, "Send \(name) once.")
    }
    guard let only = named.first else { return nil }
    guard let resource = only.resource else {
      throw OperationFault.bad(name, .value, "\(name) must be a resource.")
    }
    return resource
  }
}

/// The body of an operation, in any format of the API.
enum OperationBody {
  /// Returns the resource in the body.
  static func resource(of call: Call) async throws -> JSONValue {
    try await FHIRBody.read(call).resource
  }

  /// Returns the resource in the body; nil if there is no body.
  static func ifSent(with call: Call) async throws -> JSONValue? {
    if call.request.headers[.contentType] == nil, try await BodyReader.bytes(of: call).isEmpty {
      return nil
    }
    return try await resource(of: call)
  }
}

/// Refusals of an operation's arguments.
enum OperationFault {
  /// Returns the refusal of a parameter, which its expression names.
  static func bad(
    _ parameter: String, _ code: FHIRIssueCode, _ diagnostics: String,
    status: HTTPResponse.Status = .badRequest
  ) -> Failure {
    Failure(
      status, code: code.rawValue, detail: diagnostics,
      issues: [FHIRIssue(code: code, expression: parameter, diagnostics: diagnostics)])
  }
}
