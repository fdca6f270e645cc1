// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import Localization
import Plans
import Presentation
import Storage

/// The texts about sites.
struct SiteText {
  let words: DoseFormatter

  private var localizer: Localizer { words.localizer }

  /// Returns the name of a site, such as "Left thigh".
  func name(_ site: BodySite) -> String {
    localizer.text("sites.name", ["site": .text(site.rawValue)])
  }

  /// Returns the names of reactions.
  func names(_ reactions: [SiteReaction]) -> String {
    localizer.list(
      reactions.map { localizer.text("sites.reaction", ["reaction": .text($0.rawValue)]) })
  }

  /// Returns the suggestion with the last use of the site.
  func suggestion(_ rotation: SiteRotation) -> String {
    guard let last = rotation.lastUsed else {
      return localizer.text("sites.suggestion.unused", ["site": .text(name(rotation.site))])
    }
    return localizer.text(
      "sites.suggestion.longest",
      ["site": .text(name(rotation.site)), "time": .text(words.moment(last))])
  }

  /// Returns the sentence about the removal of something worn; nil if it is not worn.
  func removal(_ use: SiteUse) -> String? {
    guard let due = use.removeDue else { return nil }
    guard let removed = use.removed, let removal = use.removal else {
      return localizer.text("sites.removal.due", ["time": .text(words.moment(due))])
    }
    var (kind, minutes) = ("on-time", 0)
    switch removal {
    case .early(let early): (kind, minutes) = ("early", early)
    case .onTime: break
    case .late(let late): (kind, minutes) = ("late", late)
    }
    return localizer.text(
      "sites.removal.done",
      [
        "time": .text(words.moment(removed)), "kind": .text(kind),
        "length": .text(words.duration(minutes: minutes)),
      ])
  }
}
