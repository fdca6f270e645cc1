// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Localization
import Presentation
import Storage
import Web

/// A banner on every page of an administrator while the latest backup is missing, lost or failed.
package struct BackupBanner: PagePart {
  let health: BackupHealth
  let localizer: Localizer

  /// The banner; empty if nothing is wrong.
  package var markup: Markup {
    guard let key = Self.title(health) else { return Markup() }
    return Notice(
      .error, title: localizer.text(key),
      """
      <p><a href="/status#backup">\(localizer.text("backup.banner.link"))</a></p>
      """
    ).markup
  }

  /// Returns the title; nil if nothing is wrong.
  static func title(_ health: BackupHealth) -> MessageKey? {
    switch health {
    case .unscheduled, .fine, .awaited: nil
    case .failed: "backup.banner.failed"
    case .old: "backup.banner.old"
    case .lost: "backup.banner.lost"
    }
  }
}

extension BackupBanner: FramePart {
  /// Returns the banner for administrators; empty for everyone else.
  package static func pieces(for call: Call) -> [FramePiece] {
    guard call.signedIn?.actor.isAdministrator == true else { return [] }
    let environment = call.environment
    let health = environment.backups.health(environment.settings, now: call.now)
    return [
      FramePiece(.banner) { BackupBanner(health: health, localizer: $0.localizer).markup }
    ]
  }
}

/// The line about backups on the status page.
struct BackupText {
  let health: BackupHealth
  let words: DoseFormatter

  var text: String {
    let localizer = words.localizer
    func at(_ moment: Timestamp) -> MessageArguments {
      ["when": .text(words.moment(moment))]
    }
    switch health {
    case .unscheduled(nil): return localizer.text("backup.status.unscheduled")
    case .unscheduled(let last?): return localizer.text("backup.status.by-hand", at(last))
    case .fine(let last): return localizer.text("backup.status.fine", at(last))
    case .awaited: return localizer.text("backup.status.awaited")
    case .failed(let moment, let trouble):
      let code = String(trouble.filter(\.isLetter))
      return localizer.text(
        "backup.status.failed",
        at(moment).with("trouble", .text(code)))
    case .lost(let last): return localizer.text("backup.status.lost", at(last))
    case .old(let last?): return localizer.text("backup.status.old", at(last))
    case .old(nil): return localizer.text("backup.status.never")
    }
  }
}
