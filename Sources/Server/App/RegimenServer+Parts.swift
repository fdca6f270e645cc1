// SPDX-License-Identifier: Apache-2.0

import AccountPages
import CareTeamPages
import DosePages
import FHIRAPI
import Operations
import Web

extension RegimenServer {
  /// The parts that features add to every request.
  static let requestParts = RequestParts(
    guards: [AccountSecurityGuard(), PractitionerHome()], edge: [FHIREdge()],
    facts: [UnreadMessageCount.self], frame: frameParts, navigation: navigation)

  /// The parts of every page's frame; within one place, they keep this order.
  static let frameParts: [any FramePart.Type] = [
    WebAppLink.self, BackupBanner.self, FaultBanner.self, EmergencyBanner.self, NewMessages.self,
    SharedPersonTabs.self, SearchPart.self, CareTeamLink.self, PeopleLink.self, PlainHTTPNote.self,
    FooterLinks.self,
  ]
}
