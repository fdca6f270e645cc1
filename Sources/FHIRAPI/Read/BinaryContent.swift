// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// The content of a Binary, which is answered in its own media type unless a format of FHIR is asked for.
struct BinaryContent: Sendable {
  private let bytes: [UInt8]
  private let mediaType: String
  /// The reference that decides who may read it; nil without one.
  private let securityContext: String?

  init(_ resource: JSONValue) {
    let data = resource["data"]?.string ?? ""
    // FHIR allows white space within base64.
    bytes = Data(base64Encoded: data, options: .ignoreUnknownCharacters).map { Array($0) } ?? []
    mediaType = Self.checked(resource["contentType"]?.string ?? "")
    securityContext = resource["securityContext"]?["reference"]?.string
  }

  /// Returns true if a request prefers the content to the resource.
  ///
  /// - Throws: The failure 406 if the client accepts neither.
  func isWanted(by call: Call) throws -> Bool {
    if call.queryValue("_format") != nil {
      try FHIRMedia.checkAccept(call)
      return false
    }
    guard let wanted = Self.prefers(mediaType, accept: call.request.headers[.accept] ?? "") else {
      throw Failure(
        .notAcceptable, code: FHIRIssueCode.notSupported.rawValue,
        detail:
          "Accept the media type of the Binary, application/fhir+json or application/fhir+xml.")
    }
    return wanted
  }

  /// Returns true if an `Accept` field prefers a media type to FHIR's formats; nil if it accepts neither.
  static func prefers(_ mediaType: String, accept field: String) -> Bool? {
    guard !field.isEmpty else { return true }
    let own = MediaRange(mediaType)
    var best: (isContent: Bool, quality: Double)?
    for part in field.split(separator: ",") {
      let range = MediaRange(String(part))
      let isFHIR = range.essence.hasPrefix("application/fhir+")
      let isContent = !isFHIR && range.contains(own)
      guard isContent || FHIRFormat(named: String(part)) != nil else { continue }
      if range.quality > 0, range.quality > best?.quality ?? 0 {
        best = (isContent, range.quality)
      }
    }
    return best?.isContent
  }

  /// Returns the content as an answer that no browser opens or runs.
  func response(etag: String, lastModified: String) -> Response {
    var headers: HTTPFields = [
      .contentType: mediaType, .eTag: etag, .lastModified: lastModified,
      .cacheControl: "no-store", .contentDisposition: "attachment",
      .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'; sandbox",
      .xContentTypeOptions: "nosniff",
    ]
    headers[.xSecurityContext] = securityContext
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// Returns a media type that fits into a header field; bytes of no type for anything else.
  private static func checked(_ text: String) -> String {
    let sides = text.prefix { $0 != ";" }.split(
      separator: "/", omittingEmptySubsequences: false)
    let isType =
      sides.count == 2 && sides.allSatisfy { !$0.isEmpty && !$0.contains(" ") && $0 != "*" }
      && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    return isType ? text : "application/octet-stream"
  }
}

extension HTTPField.Name {
  /// The reference that decides who may read a Binary.
  static let xSecurityContext = HTTPField.Name("X-Security-Context") ?? .via
}
