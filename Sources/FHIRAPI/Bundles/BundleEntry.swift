// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTTPTypes
import Web

/// One entry of a batch or transaction.
struct BundleEntry: Sendable {
  /// The interaction that an entry asks for.
  enum Method: String, Sendable, CaseIterable {
    case delete = "DELETE"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case get = "GET"
    case head = "HEAD"

    /// True if nothing is changed.
    var isRead: Bool { self == .get || self == .head }
  }

  /// The position in the Bundle, from 0.
  let index: Int
  /// The address by which other entries refer to the resource.
  let fullURL: String?
  let method: Method
  /// The address without the base of this server, in parts, and without its query.
  let path: [String]
  /// The query of the address; nil without one.
  let query: String?
  /// The conditions of the request.
  let conditions: JSONValue
  /// The resource, or the patch.
  let resource: JSONValue?

  /// The place of the entry, for issues.
  var expression: String { "Bundle.entry[\(index)]" }

  /// Reads an entry.
  ///
  /// - Parameter base: The address of the FHIR API.
  /// - Throws: The failure 400 with the element that is wrong.
  init(_ entry: JSONValue, at index: Int, base: String) throws {
    self.index = index
    let place = "Bundle.entry[\(index)]"
    guard let request = entry["request"], request.object != nil else {
      throw Self.issue("\(place).request", "Each entry needs a request.")
    }
    guard let method = request["method"]?.string.flatMap(Method.init(rawValue:)) else {
      throw Self.issue(
        "\(place).request.method", "The method must be GET, HEAD, POST, PUT, PATCH or DELETE.")
    }
    guard let url = request["url"]?.string, !url.isEmpty, url.utf8.count <= 8_192 else {
      throw Self.issue("\(place).request.url", "The request needs an address.")
    }
    let sides = Self.relative(url, base).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = try (sides.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
      .map { part in
        guard let decoded = part.removingPercentEncoding else {
          throw Self.issue(
            "\(place).request.url",
            "The address must be UTF-8, with two hexadecimal digits after each percent sign.")
        }
        return decoded
      }
    guard let type = path.first, !type.isEmpty, !path.contains("") else {
      throw Self.issue(
        "\(place).request.url", "The address must be relative to the base, such as Patient/1.")
    }
    self.method = method
    self.path = path
    query = sides.count == 2 ? String(sides[1]) : nil
    conditions = request
    fullURL = entry["fullUrl"]?.string
    resource = entry["resource"]
    guard resource == nil || resource?.object != nil else {
      throw Self.issue("\(place).resource", "The resource must be an object.")
    }
  }

  /// The type in the address; throws the failure 404 for an unknown one.
  var type: ResourceType {
    get throws {
      guard let type = path.first.flatMap(ResourceType.init(rawValue:)) else {
        throw Failure(
          .notFound, code: FHIRIssueCode.notSupported.rawValue,
          detail: "This server has no resources of this type.")
      }
      return type
    }
  }

  /// The key of the resource that the address names; nil for a new one, and for criteria.
  var key: String? {
    method != .post && path.count == 2 && query == nil ? path.joined(separator: "/") : nil
  }

  private static func relative(_ url: String, _ base: String) -> Substring {
    if url.hasPrefix("\(base)/") { return url.dropFirst(base.count + 1) }
    return url.hasPrefix("/") ? url.dropFirst() : url[...]
  }

  private static func issue(_ expression: String, _ diagnostics: String) -> Failure {
    .element(.badRequest, .invalid, expression, diagnostics)
  }

  // MARK: Changes

  /// Returns the change that the entry asks for.
  ///
  /// - Parameters:
  ///   - resource: The resource with resolved references.
  ///   - newID: The id that was chosen for a new resource.
  func request(_ resource: JSONValue?, newID: String? = nil) throws -> WriteRequest {
    let type = try type
    let target: WriteRequest.Target
    switch (method, path.count) {
    case (.post, 1):
      target = .new(ifNoneExist: conditions["ifNoneExist"]?.string)
    case (.put, 2), (.patch, 2), (.delete, 2):
      guard FHIRIdentifierText.isValidResourceID(path[1]) else {
        throw Self.issue("\(expression).request.url", "The address must contain a FHIR id.")
      }
      target = .id(path[1])
    case (.put, 1), (.patch, 1), (.delete, 1): target = .criteria(query ?? "")
    default:
      throw Self.issue(
        "\(expression).request.url", "This address does not accept \(method.rawValue).")
    }
    var request = WriteRequest(
      type: type, target: target, change: try change(type, resource),
      ifMatch: try IfMatch(conditions["ifMatch"]?.string), newID: newID)
    request.mustBeNew = method == .put && conditions["ifNoneMatch"]?.string == "*"
    return request
  }

  private func change(_ type: ResourceType, _ resource: JSONValue?) throws -> WriteRequest.Change {
    if method == .delete { return .deletion }
    guard let resource else {
      throw Self.issue("\(expression).resource", "Send the resource with the entry.")
    }
    guard method == .patch else {
      try WriteBody.check(resource, type)
      return .resource(resource)
    }
    return .patch(try patch(in: resource))
  }

  /// Returns the patch in a Parameters resource, or in a Binary with a JSON Patch.
  private func patch(in resource: JSONValue) throws -> ResourcePatch {
    switch resource["resourceType"]?.string {
    case "Parameters": return try WriteBody.patch(resource, isFHIR: true)
    case "Binary":
      let type = (resource["contentType"]?.string ?? "").prefix { $0 != ";" }.lowercased()
      guard type == "application/json-patch+json" else {
        throw Self.issue(
          "\(expression).resource.contentType",
          "The contentType of the Binary must be application/json-patch+json.")
      }
      guard let data = resource["data"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
        throw Self.issue("\(expression).resource.data", "The data must be base64.")
      }
      return try WriteBody.patch(try JSONValue(parsing: Array(data)), isFHIR: false)
    default:
      throw Self.issue(
        "\(expression).resource",
        "Send a patch as a Parameters resource, or as a Binary with a JSON Patch.")
    }
  }
}

extension Failure {
  /// Returns the failure of an entry: its issues name the place in the Bundle.
  func inEntry(_ index: Int) -> Failure {
    let place = "Bundle.entry[\(index)]"
    var failure = self
    let own =
      issues.isEmpty
      ? [
        FHIRIssue(
          code: FHIRIssueCode(rawValue: code) ?? .processing, expression: nil, diagnostics: detail)
      ] : issues
    failure.issues = own.map { issue in
      FHIRIssue(
        severity: issue.severity, code: issue.code,
        expression: Self.expression(issue.expression, in: place), diagnostics: issue.diagnostics)
    }
    return failure
  }

  /// Returns the expression of an element of an entry's resource.
  private static func expression(_ expression: String?, in place: String) -> String {
    guard let expression else { return place }
    if expression.hasPrefix(place) { return expression }
    guard let first = expression.split(separator: ".").first else { return place }
    // A JSON Patch is the data of a Binary.
    if first.hasPrefix("$this") { return "\(place).resource.data" }
    let rest = expression.dropFirst(first.count)
    if ResourceType(rawValue: String(first)) != nil { return "\(place).resource\(rest)" }
    return expression == "resourceType" ? "\(place).resource.resourceType" : "\(place).request.url"
  }
}
