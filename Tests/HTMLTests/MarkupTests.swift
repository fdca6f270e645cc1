// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTML

@Suite("Markup") struct MarkupTests {
  @Test(
    "text is escaped",
    arguments: [
      ("", ""),
      ("plain", "plain"),
      ("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"),
      ("a & b", "a &amp; b"),
      ("&amp;", "&amp;amp;"),
      ("\"quoted\"", "&quot;quoted&quot;"),
      ("ยาเม็ด < 5 มก.", "ยาเม็ด &lt; 5 มก."),
      ("💊&💊", "💊&amp;💊"),
      ("<<>>", "&lt;&lt;&gt;&gt;"),
      ("\u{0}\n\t=`/", "\u{0}\n\t=`/"),
    ])
  func escapesText(text: String, expected: String) {
    let inContent: Markup = "<p>\(text)</p>"
    #expect(inContent.text == "<p>\(expected)</p>")
    #expect(Markup(text: text).text == expected)
    let part: Markup = "\(text[...])"
    #expect(part.text == expected)
    #expect(Markup.attribute("title", text).text == " title=\"\(expected)\"")
  }

  @Test("every other ASCII character stays as it is")
  func keepsOtherCharacters() {
    let special: Set<Character> = ["&", "<", ">", "\"", "'"]
    for code in UInt8(1)..<128 {
      let character = Character(Unicode.Scalar(code))
      let escaped = Markup(text: String(character)).text
      #expect((escaped == String(character)) == !special.contains(character))
    }
  }

  @Test("markup inside markup is not escaped again")
  func nestsMarkup() {
    let name = "Ann & Bob"
    let inner: Markup = "<b>\(name)</b>"
    let none: Markup? = nil
    let some: Markup? = "<i>x</i>"
    let rows: [Markup] = ["<li>1</li>", "<li>2</li>"]
    let page: Markup = "<div>\(inner)\(none)\(some)<ul>\(rows)</ul></div>"
    #expect(
      page.text
        == "<div><b>Ann &amp; Bob</b><i>x</i><ul><li>1</li><li>2</li></ul></div>")
  }

  @Test("a string literal given as a value is text, not markup")
  func literalValueIsText() {
    let page: Markup = "<p>\("<b>")</p>"
    #expect(page.text == "<p>&lt;b&gt;</p>")
  }

  @Test(
    "numbers",
    arguments: [
      (0, "0"), (7, "7"), (10, "10"), (-3, "-3"), (Int.max, "9223372036854775807"),
      (Int.min, "-9223372036854775808"),
    ])
  func writesNumbers(number: Int, expected: String) {
    let page: Markup = "\(number)|\(Int64(number))"
    #expect(page.text == "\(expected)|\(expected)")
  }

  @Test("conditions, alternatives and loops")
  func conditions() {
    let names = ["<a>", "b"]
    let page: Markup =
      "<input\(if: true, " checked")\(if: false, " disabled")>\(if: false, "on", else: "off")\(each: names, { "<i>\($0)</i>" })"
    #expect(page.text == "<input checked>off<i>&lt;a&gt;</i><i>b</i>")
  }

  @Test("attributes")
  func attributes() {
    #expect(
      Markup.attribute("href", "/a?b=1&c=\"2\"").text == " href=\"/a?b=1&amp;c=&quot;2&quot;\"")
    #expect(Markup.attribute("href", "").text == " href=\"\"")
    #expect(Markup.attribute("href", nil).isEmpty)
    #expect(Markup.attribute("checked", true).text == " checked")
    #expect(Markup.attribute("checked", false).isEmpty)
  }

  @Test("joining")
  func joining() {
    let parts: [Markup] = ["<a>", "<b>", "<c>"]
    #expect(Markup.joined(parts).text == "<a><b><c>")
    #expect(Markup.joined(parts, separator: ", ").text == "<a>, <b>, <c>")
    #expect(Markup.joined([Markup](), separator: ", ").isEmpty)
    #expect(("<a>" + Markup(text: "<")).text == "<a>&lt;")
    #expect(Markup(trusted: "<svg/>").text == "<svg/>")
  }
}
