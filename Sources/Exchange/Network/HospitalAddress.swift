// SPDX-License-Identifier: Apache-2.0

import Encodings
import Foundation

/// The base address of a FHIR server.
package struct HospitalAddress: Sendable, Hashable {
  /// The address without a slash at the end, with the scheme and host in lower case and without a
  /// default port.
  package let text: String
  /// `https://host:port`, normalised.
  private let origin: String
  /// The path after the origin, such as `/fhir/r4`.
  private let path: String

  /// Creates an address from what was typed; nil if it is not an http or https address of a server.
  ///
  /// A trailing `/metadata` is removed. Addresses with a query, a user name or dots as path
  /// segments are refused.
  package init?(_ typed: String) {
    var text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.hasSuffix("/metadata") { text.removeLast("/metadata".count) }
    while text.hasSuffix("/") { text.removeLast() }
    guard text.utf8.count <= 500, let parts = Self.parts(text), parts.query == nil,
      !text.contains("#"), !Self.climbs(parts.path)
    else { return nil }
    origin = parts.origin
    path = parts.path
    self.text = parts.origin + parts.path
  }

  /// Returns an address below the base, with its query encoded.
  package func url(_ path: String, _ query: [(String, String)] = []) -> String {
    let address = "\(text)/\(path)"
    return query.isEmpty ? address : "\(address)?\(FormEncoding.encode(query))"
  }

  /// Returns the address that a link of the server leads to.
  ///
  /// A link that is only a query leads to the base, as some servers write their pages. The result
  /// is nil for a link to another server or out of the base, because a request to it would carry
  /// the token there.
  package func followed(_ link: String) -> String? {
    guard link.utf8.count <= 2_000 else { return nil }
    if link.hasPrefix("?") { return "\(text)\(link)" }
    if !link.contains("://") {
      guard link.hasPrefix("/") else { return nil }
      return link.hasPrefix("//") ? nil : followed(origin + link)
    }
    guard let parts = Self.parts(link), parts.origin == origin, !link.contains("#"),
      !Self.climbs(parts.path), parts.path == path || parts.path.hasPrefix("\(path)/")
    else { return nil }
    return parts.origin + parts.path + (parts.query.map { "?\($0)" } ?? "")
  }

  /// Returns the resource type and identifier of a reference to this server; nil for any other
  /// reference.
  package func local(_ reference: String) -> (type: String, id: String)? {
    var rest = Substring(reference)
    if let history = rest.firstRange(of: "/_history/") { rest = rest[..<history.lowerBound] }
    if rest.contains("://") {
      guard let parts = Self.parts(String(rest)), parts.origin == origin, parts.query == nil,
        parts.path.hasPrefix("\(path)/")
      else { return nil }
      rest = Substring(parts.path.dropFirst(path.count + 1))
    }
    let pieces = rest.split(separator: "/", omittingEmptySubsequences: false)
    guard pieces.count == 2, let type = pieces[0].first, type.isUppercase,
      Self.isID(pieces[1])
    else { return nil }
    return (String(pieces[0]), String(pieces[1]))
  }

  static func isID(_ text: some StringProtocol) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      } && text != "." && text != ".."
  }

  private static func climbs(_ path: String) -> Bool {
    let lower = path.lowercased()
    return lower.contains("/..") || lower.contains("/.") || lower.contains("%2e")
      || lower.contains("%2f") || lower.contains("%5c")
  }

  private static func parts(_ text: String) -> (origin: String, path: String, query: String?)? {
    guard let end = text.firstRange(of: "://") else { return nil }
    let scheme = text[..<end.lowerBound].lowercased()
    guard scheme == "https" || scheme == "http" else { return nil }
    let rest = text[end.upperBound...]
    let hostEnd = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    var host = rest[..<hostEnd].lowercased()
    guard !host.isEmpty, !host.contains("@"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
    else { return nil }
    let port = scheme == "https" ? ":443" : ":80"
    if host.hasSuffix(port) { host.removeLast(port.count) }
    let target = rest[hostEnd...]
    let queryStart = target.firstIndex(of: "?")
    return (
      "\(scheme)://\(host)", String(target[..<(queryStart ?? target.endIndex)]),
      queryStart.map { String(target[target.index(after: $0)...]) }
    )
  }
}
