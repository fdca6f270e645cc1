// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Web

/// Media types and entity tags of the FHIR API.
enum FHIRMedia {
  static let type = "application/fhir+json"
  static let taken = [type, "application/json"]

  /// Responds with 406 if the client does not accept JSON; `_format` takes precedence over
  /// `Accept`.
  static func checkAccept(_ call: Call) throws {
    if let format = call.queryValue("_format") {
      // An unescaped "+" of the type arrives as a space.
      guard isJSON(format.replacing(" ", with: "+")) else { throw refusal }
      return
    }
    guard let accept = call.request.headers[.accept], !accept.isEmpty else { return }
    let wanted = accept.split(separator: ",").map(String.init)
    guard wanted.contains(where: isJSON) else { throw refusal }
  }

  private static func isJSON(_ text: String) -> Bool {
    let essence = text.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
    return [
      "json", type, "application/json", "text/json", "*/*", "application/*",
    ].contains(essence)
  }

  private static let refusal = Failure(
    .notAcceptable, code: "not-supported", detail: "Accept application/fhir+json.")

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
