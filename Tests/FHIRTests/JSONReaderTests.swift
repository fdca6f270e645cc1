// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@Suite struct JSONReaderTests {
  @Test(arguments: [
    #"{"value":72.10}"#, #"{"value":1.2E+2}"#, "[]", "{}", "[[],{},null,true,false]", "-0", "0.0",
    #""\"\\\b\f\n\r\t\u0001""#, #"{"b":1,"a":2}"#, #""Ødegård ğ ไทย 😀""#, "12345678901234567890",
  ])
  func writesWhatItRead(_ text: String) throws {
    #expect(try JSONValue(parsing: text).text == text)
  }
}
