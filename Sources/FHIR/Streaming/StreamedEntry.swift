// SPDX-License-Identifier: Apache-2.0

/// A resource of a file, in file order.
public struct StreamedEntry: Sendable, Hashable {
  /// The position in the file, counted from 1 over all its Bundles and lines.
  public let number: Int
  /// `Bundle.entry.fullUrl`, if stated.
  public let fullURL: String?
  /// The resource, or the reason why there is none.
  public let resource: Result<JSONValue, StreamedEntryProblem>

  /// Creates an entry.
  public init(
    number: Int, fullURL: String? = nil, resource: Result<JSONValue, StreamedEntryProblem>
  ) {
    self.number = number
    self.fullURL = fullURL
    self.resource = resource
  }
}

/// The reason why an entry of a file has no usable resource; reading continues after it.
public enum StreamedEntryProblem: Error, Sendable, Hashable {
  /// The entry is not JSON as FHIR allows it.
  case syntax(JSONSyntaxError)
  /// It is larger than the limit in bytes given here.
  case tooLarge(limit: Int)
  /// The `Bundle.entry` has no resource, as for deletions and responses.
  case noResource
  /// It is a JSON value but not an object.
  case notAnObject
  /// The file continues with content that is not a JSON object.
  case notJSON
  /// The file or the line ends inside it.
  case endsEarly
  /// It has entries but is not a Bundle.
  case notABundle
  /// There is no comma between two entries.
  case missingComma
}
