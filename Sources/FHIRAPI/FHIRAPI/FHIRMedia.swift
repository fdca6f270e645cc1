// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Web

/// Media types and entity tags of the FHIR API.
enum FHIRMedia {
  static let type = FHIRFormat.json.mediaType
  /// The formats for the capability statement.
  static let formats = FHIRFormat.allCases.map(\.mediaType) + ["json", "xml"]

  /// Responds with 406 if the client accepts neither JSON nor XML, and with 400 for an unclear `_pretty`.
  static func checkAccept(_ call: Call) throws {
    try checkPretty(call)
    guard wanted(by: call) == nil else { return }
    let detail = "Accept application/fhir+json or application/fhir+xml."
    guard call.queryValue("_format") == nil else {
      throw Failure.element(.notAcceptable, .notSupported, "_format", detail)
    }
    throw Failure(
      .notAcceptable, code: FHIRIssueCode.notSupported.rawValue, detail: detail)
  }

  /// Responds with 400 if `_pretty` is neither true nor false.
  static func checkPretty(_ call: Call) throws {
    guard call.request.uri.query?.contains("_pretty") == true,
      let value = call.queryValue("_pretty"), value != "true", value != "false"
    else { return }
    throw Failure.element(.badRequest, .value, "_pretty", "_pretty must be true or false.")
  }

  /// Returns the format of the answer; nil if the client accepts none.
  ///
  /// `_format` takes precedence over `Accept`.
  static func wanted(by call: Call) -> FHIRFormat? {
    if let format = call.queryValue("_format") {
      // An unescaped "+" of the type arrives as a space.
      return FHIRFormat(named: format.replacing(" ", with: "+"))
    }
    guard let accept = call.request.headers[.accept], !accept.isEmpty else { return .json }
    return FHIRFormat(accept: accept)
  }

  /// Returns true if an If-None-Match contains a version, or `*`.
  static func names(_ version: Int64, in header: String?) -> Bool {
    header?.filter { $0 != " " } == "*" || entityTags(header).contains(version)
  }

  /// Returns the versions in `W/"3"`, `"3"` or a bare `3`; anything else is left out.
  static func entityTags(_ header: String?) -> [Int64] {
    (header ?? "").split(separator: ",").compactMap { tag in
      Int64(tag.drop { $0 == " " }.replacing("W/", with: "").filter { $0 != "\"" && $0 != " " })
    }
  }
}
