// SPDX-License-Identifier: Apache-2.0

/// Reads resources out of the bytes of a file as they come: a Bundle, one resource, or one resource
/// or Bundle after the other (ndjson).
///
/// What it holds at any time is one entry, however long the file is. Entries are read strictly, each by
/// itself: a wrong one is handed out with its reason, and the next is read.
public struct ResourceStream: Sendable {
  /// True if a Bundle said that the server has further pages, which are not in this file.
  public private(set) var hasFurtherPages = false
  /// The number of entries returned so far.
  public private(set) var count = 0

  private var scanner: ResourceScanner
  private let limits: JSONLimits

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - limits: for each entry, and for what surrounds the entries of a Bundle.
  ///   - isLines: whether each line is known to hold one document, so that a broken line ends with it.
  public init(limits: JSONLimits = .standard, isLines: Bool = false) {
    self.limits = limits
    scanner = ResourceScanner(maximumBytes: limits.maximumBytes, isLines: isLines)
  }

  /// Takes further bytes and hands out the entries that end in them.
  public mutating func append(
    _ bytes: [UInt8], _ handle: (StreamedEntry) throws -> Void
  ) rethrows {
    var pieces: [ResourceScanner.Piece] = []
    var position = 0
    // In steps, so that the entries of a large chunk are not all held at once.
    while position < bytes.count {
      let end = min(position + 65_536, bytes.count)
      scanner.scan(bytes[position..<end], into: &pieces)
      position = end
      for piece in pieces { try take(piece, handle) }
      pieces.removeAll(keepingCapacity: true)
    }
  }

  /// Says that the file has ended.
  public mutating func finish(_ handle: (StreamedEntry) throws -> Void) rethrows {
    if let piece = scanner.finish() { try take(piece, handle) }
  }

  private mutating func take(
    _ piece: ResourceScanner.Piece, _ handle: (StreamedEntry) throws -> Void
  ) rethrows {
    switch piece {
    case .entry(let bytes): try hand(entry(bytes), handle)
    case .document(let bytes, let hadEntries):
      let value: JSONValue
      do throws(JSONSyntaxError) {
        value = try JSONValue(parsing: bytes, limits: limits)
      } catch {
        try hand((nil, .failure(.syntax(error))), handle)
        return
      }
      if value["resourceType"]?.string == "Bundle" {
        let relations = value.items("link").compactMap { $0.text("relation") }
        if relations.contains("next") { hasFurtherPages = true }
      } else if hadEntries {
        try hand((nil, .failure(.notABundle)), handle)
      } else {
        try hand((nil, .success(value)), handle)
      }
    case .problem(let problem): try hand((nil, .failure(problem)), handle)
    }
  }

  private func entry(_ bytes: [UInt8]) -> (String?, Result<JSONValue, StreamedEntryProblem>) {
    do throws(JSONSyntaxError) {
      let value = try JSONValue(parsing: bytes, limits: limits)
      guard value.object != nil else { return (nil, .failure(.notAnObject)) }
      let fullURL = value.text("fullUrl")
      guard let resource = value["resource"] else { return (fullURL, .failure(.noResource)) }
      return (fullURL, resource.object == nil ? .failure(.notAnObject) : .success(resource))
    } catch {
      return (nil, .failure(.syntax(error)))
    }
  }

  private mutating func hand(
    _ content: (fullURL: String?, resource: Result<JSONValue, StreamedEntryProblem>),
    _ handle: (StreamedEntry) throws -> Void
  ) rethrows {
    count += 1
    try handle(
      StreamedEntry(number: count, fullURL: content.fullURL, resource: content.resource))
  }
}
