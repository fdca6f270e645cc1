// SPDX-License-Identifier: Apache-2.0

/// One resource of a file, in the order in which the resources stand there.
public struct StreamedEntry: Sendable, Hashable {
  /// The place in the file, counted from 1 over all its Bundles and lines.
  public let number: Int
  /// `Bundle.entry.fullUrl`, when stated.
  public let fullURL: String?
  /// The resource, or why there is none.
  public let resource: Result<JSONValue, StreamedEntryProblem>

  /// Makes an entry.
  public init(
    number: Int, fullURL: String? = nil, resource: Result<JSONValue, StreamedEntryProblem>
  ) {
    self.number = number
    self.fullURL = fullURL
    self.resource = resource
  }
}

/// Why an entry of a file has no resource to work with; the reader goes on behind it.
public enum StreamedEntryProblem: Error, Sendable, Hashable {
  /// It is not JSON as FHIR allows it.
  case syntax(JSONSyntaxError)
  /// It is larger than the limit in bytes given here.
  case tooLarge(limit: Int)
  /// `Bundle.entry` without a resource, as deletions and answers have.
  case noResource
  /// It is a JSON value, and no object.
  case notAnObject
  /// The file goes on with something that is no JSON object.
  case notJSON
  /// The file, or the line, ends in the middle of it.
  case endsEarly
  /// It holds entries and is no Bundle.
  case notABundle
  /// Two entries stand without a comma between them.
  case missingComma
}
