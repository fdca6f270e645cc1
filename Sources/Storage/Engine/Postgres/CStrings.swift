// SPDX-License-Identifier: Apache-2.0

/// Texts as a null-terminated array of C strings, valid during a call.
enum CStrings {
  static func withPointers<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
  ) -> Result {
    let bytes = texts.map { Array($0.utf8CString) }
    let joined = Array(bytes.joined())
    return joined.withUnsafeBufferPointer { buffer in
      var pointers: [UnsafePointer<CChar>?] = []
      var offset = 0
      for text in bytes {
        pointers.append(buffer.baseAddress?.advanced(by: offset))
        offset += text.count
      }
      pointers.append(nil)
      return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
  }
}
