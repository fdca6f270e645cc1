// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization

/// The faults of the installation, shown to administrators on every page; backups have their own banner.
struct FaultBanner: PagePart {
  let faults: [InstallationFault]
  let localizer: Localizer

  var markup: Markup {
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
