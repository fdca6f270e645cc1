// SPDX-License-Identifier: Apache-2.0

import FHIRXML
import Testing

@testable import FHIR

/// The encodings of XML documents.
@Suite struct XMLEncodingTests {
  private static let patient =
    #"<Patient xmlns="http://hl7.org/fhir"><name><text value="å😀"/></name></Patient>"#

  private func document(_ encoding: String?) -> String {
    let declaration = encoding.map { #"<?xml version="1.0" encoding="\#($0)"?>"# } ?? ""
    return declaration + Self.patient
  }

  private func utf16(_ text: String, isBigEndian: Bool, mark: Bool = true) -> [UInt8] {
    ((mark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? bytes : bytes.reversed()
    }
  }

  private func problem(_ bytes: [UInt8]) -> FHIRIssue? {
    do throws(XMLProblem) {
      _ = try ResourceXML.read(bytes)
      return nil
    } catch {
      return error.issue
    }
  }

  @Test(arguments: [nil, "UTF-16", "utf-16"])
  func `UTF-16 is read in both byte orders`(encoding: String?) throws {
    for isBigEndian in [true, false] {
      for mark in [true, false] {
        let bytes = utf16(document(encoding), isBigEndian: isBigEndian, mark: mark)
        #expect(try ResourceXML.read(bytes)["name"]?[0]?["text"]?.string == "å😀")
      }
    }
  }

  @Test(arguments: [nil, "UTF-8", "utf-8"])
  func `UTF-8 is read with and without a mark`(encoding: String?) throws {
    for mark in ["", "\u{FEFF}"] {
      let bytes = Array((mark + document(encoding)).utf8)
      #expect(try ResourceXML.read(bytes)["name"]?[0]?["text"]?.string == "å😀")
    }
  }

  @Test func `narratives in UTF-16 keep their text`() throws {
    let div = #"<div xmlns="http://www.w3.org/1999/xhtml"><p>å &amp; 😀</p></div>"#
    let text = """
      <?xml version='1.0' encoding='UTF-16LE'?><Patient xmlns="http://hl7.org/fhir"><text>\
      <status value="generated"/>\(div)</text></Patient>
      """
    let value = try ResourceXML.read(utf16(text, isBigEndian: false))
    #expect(value["text"]?["div"]?.string == div)
  }

  @Test(arguments: ["ISO-8859-1", "US-ASCII", "UTF-32", "utf8", "x"])
  func `other encodings are refused`(encoding: String) {
    let found = problem(Array(document(encoding).utf8))
    #expect(found?.diagnostics.contains("encoding \(encoding) is not supported") == true)
    #expect(found?.expression == nil)
  }

  @Test func `a declaration that contradicts the bytes is refused`() {
    let contradicting = [
      Array(document("UTF-16").utf8), utf16(document("UTF-8"), isBigEndian: true),
      utf16(document("UTF-16LE"), isBigEndian: true),
      utf16(document("UTF-16BE"), isBigEndian: false),
    ]
    for bytes in contradicting {
      #expect(problem(bytes)?.diagnostics.contains("its bytes are in another one") == true)
    }
  }

  @Test func `what is not in its encoding is refused`() {
    let whole = utf16(document(nil), isBigEndian: true)
    #expect(problem(Array(whole.dropLast())) != nil)
    // Half of a surrogate pair.
    #expect(problem([0xFE, 0xFF, 0xD8, 0x3D, 0x00, 0x3C]) != nil)
    #expect(problem([0xFE, 0xFF]) != nil)
    #expect(problem([0xFF, 0xFE, 0x3C]) != nil)
    #expect(problem(Array("<?xml encoding=".utf8)) != nil)
  }
}
