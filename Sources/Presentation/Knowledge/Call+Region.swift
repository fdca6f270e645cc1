// SPDX-License-Identifier: Apache-2.0

import Knowledge
import Localization
import Web

extension Call {
  /// The region whose rules are shown: the one chosen on this device, otherwise the one of the
  /// language.
  package var region: Region { knownRegion ?? .uk }

  /// The region if it is known; nil for languages shared by many countries, whose phone numbers
  /// differ.
  package var knownRegion: Region? {
    cookie(Preferences.regionCookie).flatMap(Region.init(rawValue:))
      ?? (language == .th ? .th : nil)
  }
}
