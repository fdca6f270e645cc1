// SPDX-License-Identifier: Apache-2.0

import Foundation
import Operations
import Testing

@Suite("Memory of the program's code")
struct ProgramMemoryTests {
  @Test("a mapping is read with its addresses, and code is recognised")
  func readsMappings() {
    let text = """
      5581c0000000-5581c0daa000 r--p 00000000 fe:00 1234    /usr/bin/regimen
      5581c0daa000-5581c3fe9000 r-xp 00daa000 fe:00 1234    /usr/bin/regimen
      7f0a10000000-7f0a10021000 rw-p 00000000 00:00 0
      7ffd1a5f0000-7ffd1a611000 rw-p 00000000 00:00 0       [stack]
      7f0a2000-7f0a1000 r-xp 00000000 fe:00 77              /usr/lib/a b.so
      nonsense
      """
    let mappings = ProgramMemory.mappings(in: text)
    #expect(mappings.map(\.file) == ["/usr/bin/regimen", "/usr/bin/regimen", "[stack]"])
    #expect(mappings.map(\.isCode) == [false, true, false])
    #expect(mappings[1].addresses == 0x5581_c0da_a000..<0x5581_c3fe_9000)
  }

  @Test("the running program releases its code and continues")
  func releasesOwnCode() {
    #expect(ProgramMemory.releaseCode())
    // Runs code of the program that was just released.
    #expect(ProgramMemory.mappings(in: "1-2 r-xp 0 0:0 0 /a b").first?.file == "/a b")
  }
}
