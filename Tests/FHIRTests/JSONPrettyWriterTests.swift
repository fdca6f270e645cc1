// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FHIR

@Suite struct JSONPrettyWriterTests {
  @Test func indentsAndKeepsTheContent() throws {
    let value = try JSONValue(parsing: #"{"a":[1.0,{"b":"x\ny"}],"c":{},"d":[],"e":null}"#)
    let text = String(decoding: value.prettyBytes, as: UTF8.self)
    #expect(
      text == """
        {
          "a": [
            1.0,
            {
              "b": "x\\ny"
            }
          ],
          "c": {},
          "d": [],
          "e": null
        }

        """)
    #expect(try JSONValue(parsing: text) == value)
  }
}
