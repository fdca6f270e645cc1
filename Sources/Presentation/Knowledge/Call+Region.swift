// SPDX-License-Identifier: Apache-2.0

import Knowledge
import Localization
import Web

extension Call {
  /// The region whose rules are shown; the United Kingdom if none is known.
  package var region: Region { knownRegion ?? .uk }

  /// The region chosen on this device, or the one of the language.
  ///
  /// It is nil for languages that many countries share: no one must be shown another country's
  /// phone numbers.
  package var knownRegion: Region? {
    cookie(Preferences.regionCookie).flatMap(Region.init(rawValue:))
      ?? (language == .th ? .th : nil)
  }
}
