// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing
import TestSupport

@testable import Plans
@testable import Presentation
@testable import Web

@Suite struct DoneNoteTests {
  private let dose = DoseID(plan: "p-1", era: 2, occurrence: .running(17))

  @Test(arguments: [
    ("/", "/?done=taken&dose=p-1_2_n17#dose-p-1_2_n17"),
    ("/doses/x?return=/#later", "/doses/x?done=taken&dose=p-1_2_n17"),
    ("/medicines/p-1#history", "/medicines/p-1?done=taken&dose=p-1_2_n17"),
  ])
  func `a confirmation replaces the query of the address`(path: String, address: String) {
    #expect(DoneNote(.taken, dose).address(on: path) == address)
  }

  @Test func `a confirmation reads back as it was written`() {
    let notes = [
      DoneNote(.undo, dose), DoneNote(.entry, administration: "adm-1"),
      DoneNote(.taken, doses: [dose, DoseID(plan: "q", era: 1, occurrence: .running(0))], left: 2),
    ]
    for note in notes {
      let query = note.address(on: "/ring").dropFirst("/ring?".count)
      #expect(DoneNote(FormBody.pairs(of: String(query))) == note)
    }
    #expect(DoneNote(FormBody.pairs(of: "done=nonsense&dose=x")) == nil)
    #expect(DoneNote(FormBody.pairs(of: "return=/")) == nil)
  }
}
