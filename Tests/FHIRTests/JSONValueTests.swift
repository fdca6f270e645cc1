// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Testing

@Suite struct JSONValueTests {
  @Test func keepsOrderWhenChanged() {
    var value: JSONValue = ["b": 1, "a": [true, nil], "c": "x"]
    value["a"] = 2
    value["d"] = "new"
    value["b"] = nil
    #expect(value.text == #"{"a":2,"c":"x","d":"new"}"#)
    #expect(value["missing"] == nil)
    #expect(value.object?.keys == ["a", "c", "d"])
  }

  @Test func accessorsAreTotal() {
    let value: JSONValue = [1, "two", false]
    #expect(value[0]?.number?.integer == 1)
    #expect(value[1]?.string == "two")
    #expect(value[2]?.bool == false)
    #expect(value[3] == nil)
    #expect(value[-1] == nil)
    #expect(value["key"] == nil)
    #expect(JSONValue.null.isNull)
  }

  @Test func settingOnNoObjectMakesOne() {
    var value: JSONValue = 1
    value["a"] = "b"
    #expect(value == ["a": "b"])
    var untouched: JSONValue = "text"
    untouched["a"] = nil
    #expect(untouched == "text")
  }

  @Test(arguments: [
    ("72.10", "72.1"), ("1.2E+2", "120"), ("-0.5", "-0.5"), ("1e-3", "0.001"), ("0", "0"),
    ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
  ])
  func numbersHaveExactDecimals(_ text: String, _ expected: String) {
    #expect(JSONNumber(text: text)?.decimal == Decimal(string: expected))
    #expect(JSONNumber(text: text)?.text == text)
  }

  @Test(arguments: [
    "1e999", "1e-999", "123456789012345678901234567890123456789", "1e99999999999999",
  ])
  func numbersBeyondDecimalHaveNone(_ text: String) {
    #expect(JSONNumber(text: text) != nil)
    #expect(JSONNumber(text: text)?.decimal == nil)
  }

  @Test(arguments: ["", "01", "1.", "+1", "NaN", "0x1", "1 ", " 1", "1e", "--1"])
  func refusesWhatIsNoNumber(_ text: String) { #expect(JSONNumber(text: text) == nil) }

  @Test func onlyPlainTextIsAnInteger() {
    #expect(JSONNumber(text: "42")?.integer == 42)
    #expect(JSONNumber(text: "4.0")?.integer == nil)
    #expect(JSONNumber(text: "99999999999999999999")?.integer == nil)
  }
}
