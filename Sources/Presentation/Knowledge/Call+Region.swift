// SPDX-License-Identifier: Apache-2.0

import Knowledge
import Localization
import Web

extension Call {
  /// The region whose rules to show: chosen on this device, else the one that goes with the language.
  package var region: Region { knownRegion ?? .uk }

  /// The region where it is known; many countries share the other languages, and none may read another's numbers.
  package var knownRegion: Region? {
    cookie(Preferences.regionCookie).flatMap(Region.init(rawValue:))
      ?? (language == .th ? .th : nil)
  }
}
