// SPDX-License-Identifier: Apache-2.0

/// The formats of resources in requests and answers.
enum FHIRFormat: Sendable, Hashable, CaseIterable {
  case json
  case xml

  /// The media type of answers.
  var mediaType: String {
    switch self {
    case .json: "application/fhir+json"
    case .xml: "application/fhir+xml"
    }
  }

  /// The media types of requests.
  var taken: [String] {
    switch self {
    case .json: ["application/fhir+json", "application/json"]
    case .xml: ["application/fhir+xml", "application/xml", "text/xml"]
    }
  }

  /// The names in `_format` and in `Accept`.
  private var names: [String] {
    switch self {
    case .json: taken + ["json", "text/json"]
    case .xml: taken + ["xml"]
    }
  }

  /// Returns the format of a media type or short name, unless its parameters ask for another version of FHIR.
  init?(named text: String) {
    let media = MediaType(text)
    guard media.isFourOrUnstated,
      let format = Self.allCases.first(where: { $0.names.contains(media.essence) })
    else { return nil }
    self = format
  }

  /// Returns the format of a request's body by its `Content-Type`.
  init?(contentType text: String) {
    let media = MediaType(text)
    guard media.isFourOrUnstated, ["utf-8", "utf8", nil].contains(media.parameters["charset"]),
      let format = Self.allCases.first(where: { $0.taken.contains(media.essence) })
    else { return nil }
    self = format
  }

  /// Returns the format that an `Accept` field prefers; JSON for a wildcard, nil if it accepts neither.
  init?(accept field: String) {
    // Nearly all requests have one of these.
    if field == Self.json.mediaType || field == "*/*" {
      self = .json
      return
    }
    var best: (format: FHIRFormat, quality: Double)?
    for part in field.split(separator: ",") {
      let media = MediaType(String(part))
      let isWildcard = ["*/*", "application/*"].contains(media.essence)
      guard let format = isWildcard ? FHIRFormat.json : FHIRFormat(named: String(part)) else {
        continue
      }
      let quality = media.parameters["q"].map { Double($0) ?? 0 } ?? 1
      if quality > 0, quality > best?.quality ?? 0 { best = (format, quality) }
    }
    guard let best else { return nil }
    self = best.format
  }
}

/// A media type with its parameters, in lower case.
private struct MediaType {
  let essence: String
  let parameters: [String: String]

  init(_ text: String) {
    let parts = text.lowercased().utf8.split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
    ).map { part in String(decoding: part.filter(Self.isKept), as: UTF8.self) }
    essence = parts.first ?? ""
    var parameters: [String: String] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      if pair.count == 2 { parameters[pair[0]] = pair[1] }
    }
    self.parameters = parameters
  }

  /// Returns false for blanks and quotes, which mean nothing here.
  private static func isKept(_ byte: UInt8) -> Bool {
    byte > UInt8(ascii: " ") && byte != UInt8(ascii: "\"")
  }

  /// True unless a version of FHIR other than R4 is stated.
  var isFourOrUnstated: Bool { ["4.0", "4.0.1", nil].contains(parameters["fhirversion"]) }
}
