// SPDX-License-Identifier: Apache-2.0

/// Reads resources from the bytes of a file as they arrive: a Bundle, one resource, or a sequence of
/// resources or Bundles (ndjson).
///
/// It keeps at most one entry in memory, however long the file is. Each entry is parsed strictly and
/// separately: a faulty one is returned with its reason, and reading continues.
public struct ResourceStream: Sendable {
  /// True if a Bundle states that the server has further pages, which are not in this file.
  public private(set) var hasFurtherPages = false
  /// The number of entries returned so far.
  public private(set) var count = 0

  private var scanner: ResourceScanner
  private let limits: JSONLimits

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - limits: for each entry, and for the content of a Bundle outside its entries.
  ///   - isLines: true if each line is known to be one document, so that a broken line ends with it.
  public init(limits: JSONLimits = .standard, isLines: Bool = false) {
    self.limits = limits
    scanner = ResourceScanner(maximumBytes: limits.maximumBytes, isLines: isLines)
  }

  /// Appends bytes and passes on the entries that end in them.
  public mutating func append(
    _ bytes: [UInt8], _ handle: (StreamedEntry) throws -> Void
  ) rethrows {
    var pieces: [ResourceScanner.Piece] = []
    var position = 0
    // In steps, so that the entries of a large chunk are not all in memory at once.
    while position < bytes.count {
      let end = min(position + 65_536, bytes.count)
      scanner.scan(bytes[position..<end], into: &pieces)
      position = end
      for piece in pieces { try take(piece, handle) }
      pieces.removeAll(keepingCapacity: true)
    }
  }

  /// Processes the end of the file.
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
