// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Testing

struct PhoneNumberTests {
  @Test(arguments: [
    "+4740000000", "+47 400 00 000", "0047 400-00-000", "+47 (400) 00.000",
    "+47\u{A0}400\u{2011}00\u{2013}000",
  ])
  func `numbers are accepted as people write them`(typed: String) throws {
    let number = try #require(PhoneNumber(typed))
    #expect(number.text == "+4740000000" && number.digits == "4740000000")
    #expect(number.masked == "…00")
    #expect(PhoneNumber(known: typed) == number)
  }

  @Test(arguments: [
    "", "+", "40000000", "+047400000", "+474", "+47400000001234567", "+47 4oo 00 000",
    "+47\r\n40000000", "++4740000000", "47+40000000", "000047900", "+٤٧٩٠٠١٢٣٤٥",
  ])
  func `numbers without a valid country code are refused`(typed: String) {
    #expect(PhoneNumber(typed) == nil)
    #expect(PhoneNumber(known: typed) == nil)
  }

  @Test func `a 7-digit number is read but not accepted as new`() {
    #expect(PhoneNumber("+1234567") == nil)
    #expect(PhoneNumber(known: "+1234567")?.text == "+1234567")
    #expect(PhoneNumber("+12345678")?.text == "+12345678")
    #expect(PhoneNumber(known: "+123456") == nil)
    #expect(PhoneNumber("+123456789012345") != nil && PhoneNumber("+1234567890123456") == nil)
  }
}
