// SPDX-License-Identifier: Apache-2.0

import Foundation
import Scheduling
import Storage

/// The rules by which an entry of the diary is accepted.
package enum DiaryCheck {
  /// The longest text, note and reason, in characters.
  package static let longestText = 2_000
  /// The time by which a device's clock may be ahead, in milliseconds.
  private static let tolerance: Int64 = 120_000
  /// 1 January 1900, in milliseconds since 1970.
  private static let earliest: Int64 = -2_208_988_800_000

  /// Checks an entry.
  ///
  /// - Throws: ``DiaryError/unlikely`` for a rare value without a reason, and another error for one that cannot be
  ///   right.
  package static func check(
    _ draft: DiaryDraft, for tracker: Tracker, now: Timestamp
  ) throws(DiaryError) {
    guard draft.value.fits(tracker.shape) else { throw .value }
    guard draft.note.count <= longestText, draft.reason.count <= longestText else {
      throw .textTooLong
    }
    guard draft.at.milliseconds >= earliest else { throw .day }
    guard draft.at.milliseconds <= now.milliseconds + tolerance else { throw .future }
    switch try verdict(on: draft.value, of: tracker) {
    case .likely: return
    case .impossible: throw .impossible
    case .unlikely:
      guard !draft.reason.isEmpty else { throw .unlikely }
    }
  }

  private static func verdict(
    on value: DiaryValue, of tracker: Tracker
  ) throws(DiaryError) -> PlausibleRange.Verdict {
    switch value {
    case .score(let score): return TrackerShape.scores.contains(score) ? .likely : .impossible
    case .answer: return .likely
    case .measurement(let number, let unit):
      return tracker.standard?.range?.verdict(on: unit.canonical(number)) ?? .likely
    case .number(let number, _):
      return abs(number) < 1_000_000_000 ? .likely : .impossible
    case .pressure(let systolic, let diastolic):
      let verdicts = [
        PlausibleRange.systolic.verdict(on: Decimal(systolic)),
        PlausibleRange.diastolic.verdict(on: Decimal(diastolic)),
      ]
      if verdicts.contains(.impossible) { return .impossible }
      guard diastolic < systolic else { throw .pressureOrder }
      return verdicts.contains(.unlikely) ? .unlikely : .likely
    case .text(let text):
      try check(text)
      return .likely
    case .graded(let text, let strength):
      try check(text)
      return TrackerShape.scores.contains(strength) ? .likely : .impossible
    }
  }

  private static func check(_ text: String) throws(DiaryError) {
    guard !text.isEmpty else { throw .valueMissing }
    guard text.count <= longestText else { throw .textTooLong }
  }
}
