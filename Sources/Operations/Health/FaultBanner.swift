// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import HummingbirdCore
import Localization
import Presentation
import Web

/// The faults of the installation, shown to administrators on every page; backups have their own banner.
package struct FaultBanner: PagePart {
  let faults: [InstallationFault]
  let localizer: Localizer

  /// One warning for each fault, without those about backups.
  package var markup: Markup {
    "\(each: faults.filter { $0 != .backup }, notice)"
  }

  private func notice(_ fault: InstallationFault) -> Markup {
    Notice(
      .error, title: localizer.text(fault.title(.awaited)),
      """
      <p><a href="/status">\(localizer.text("backup.banner.link"))</a></p>
      """
    ).markup
  }
}

extension FaultBanner: FramePart {
  /// Returns the banner for administrators; empty for everyone else.
  package static func pieces(for call: Call) -> [FramePiece] {
    guard call.signedIn?.actor.isAdministrator == true else { return [] }
    var faults = call.environment.faultsNow(at: call.now)
    // The status page explains this fault itself.
    if call.environment.faults.known.contains(.clock), call.request.uri.path != "/status" {
      faults.insert(.clock, at: 0)
    }
    return [
      FramePiece(.banner) { [faults] in
        FaultBanner(faults: faults, localizer: $0.localizer).markup
      }
    ]
  }
}
