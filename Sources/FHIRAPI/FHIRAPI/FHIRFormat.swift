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

  /// The encodings of requests.
  private var charsets: [String] {
    switch self {
    case .json: ["utf-8", "utf8"]
    case .xml: ["utf-8", "utf8", "utf-16"]
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
    let media = MediaRange(text)
    guard media.isFourOrUnstated,
      let format = Self.allCases.first(where: { $0.names.contains(media.essence) })
    else { return nil }
    self = format
  }

  /// Returns the format of a request's body by its `Content-Type`.
  init?(contentType text: String) {
    let media = MediaRange(text)
    guard media.isFourOrUnstated,
      let format = Self.allCases.first(where: { $0.taken.contains(media.essence) }),
      format.charsets.contains(media.parameters["charset"] ?? "utf-8")
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
      let media = MediaRange(String(part))
      let isWildcard = ["*/*", "application/*"].contains(media.essence)
      guard let format = isWildcard ? FHIRFormat.json : FHIRFormat(named: String(part)) else {
        continue
      }
      if media.quality > 0, media.quality > best?.quality ?? 0 { best = (format, media.quality) }
    }
    guard let best else { return nil }
    self = best.format
  }
}
