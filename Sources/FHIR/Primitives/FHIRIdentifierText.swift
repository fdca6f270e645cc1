// SPDX-License-Identifier: Apache-2.0

/// The syntax of the `id` of a FHIR resource.
public enum FHIRIdentifierText {
  /// Returns true if the text is a logical id: 1 to 64 of A-Z, a-z, 0-9, `-` and `.`.
  public static func isValidResourceID(_ text: String) -> Bool {
    let utf8 = text.utf8
    guard (1...64).contains(utf8.count) else { return false }
    return utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        true
      default: false
      }
    }
  }
}
