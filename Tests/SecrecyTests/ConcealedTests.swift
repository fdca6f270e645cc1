// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Secrecy

@Suite struct ConcealedTests {
  private static let canary = "canary-of-this-test"

  private struct Settings: Sendable {
    let name = "city"
    let secret = Concealed(ConcealedTests.canary)
    let further: [Concealed<[UInt8]>] = [Concealed(Array(ConcealedTests.canary.utf8))]
    let whole = Whole()
  }

  private struct Whole: Sendable, Unprintable {
    let secret = ConcealedTests.canary
  }

  private struct Failure: Error {
    let settings = Settings()
  }

  /// Returns the results of everything that converts a value to text.
  private func texts(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    var reflected = ""
    for child in Mirror(reflecting: value).children { dump(child, to: &reflected) }
    return [
      "\(value)", String(describing: value), String(reflecting: value), dumped, reflected,
      String(format: "%@", "\(value)"), "\([value])", "\(["key": value])",
      "\(Optional(value) as Any)",
    ]
  }

  @Test func `no output shows a secret`() {
    let secret = Concealed(Self.canary)
    for value: Any in [secret, Settings(), Whole(), Failure(), [secret], ["key": secret]] {
      for text in texts(value) {
        #expect(!text.contains(Self.canary))
        // The bytes of the secret, "99, 97, 110".
        #expect(!text.contains("99, 97"))
      }
    }
    #expect(secret.revealed == Self.canary)
  }

  @Test func `text around a secret is shown as usual`() {
    let text = "\(Settings())"
    #expect(text.contains("city") && text.contains("concealed") && text.contains("Whole"))
  }

  @Test func `equal secrets are equal`() {
    #expect(Concealed("a") == Concealed("a") && Concealed("a") != Concealed("b"))
    #expect(Set([Concealed("a"), Concealed("a")]).count == 1)
  }
}
