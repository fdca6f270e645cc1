// SPDX-License-Identifier: Apache-2.0

import Calendar
import Identifiers
import Localization
import Scheduling
import Web

/// The form of a new sticker, as typed.
struct StickerInput: Sendable, Hashable {
  /// The value of the subject that stands for a place.
  static let place = "place"

  var name = ""
  /// The id of a plan, or ``place``.
  var subject = StickerInput.place
  /// The time of a place's doses; empty for any.
  var time = ""

  enum Mistake: Sendable, Hashable {
    case nameMissing, nameTooLong, subject, time, full

    var field: String {
      switch self {
      case .nameMissing, .nameTooLong, .full: "name"
      case .subject: "subject"
      case .time: "time"
      }
    }

    private var word: String {
      switch self {
      case .nameMissing: "name"
      case .nameTooLong: "length"
      case .subject: "subject"
      case .time: "time"
      case .full: "full"
      }
    }

    func message(_ localizer: Localizer) -> String {
      let maximum = self == .full ? Stickers.most : Stickers.longestName
      return localizer.text(
        "stickers.problem", ["problem": .text(word), "maximum": .number(maximum)])
    }
  }

  /// Creates an empty form.
  init() {}

  init(_ form: FormBody) {
    name = form.text("name") ?? ""
    subject = form.text("subject") ?? Self.place
    time = form.text("time") ?? ""
  }

  /// Returns the subject if everything is right, and otherwise the mistakes.
  func checked(plans: [PlanID]) -> (subject: Sticker.Subject?, mistakes: [Mistake]) {
    var mistakes: [Mistake] = []
    if name.isEmpty { mistakes.append(.nameMissing) }
    if name.count > Stickers.longestName || name.unicodeScalars.contains(where: { $0.value < 32 }) {
      mistakes.append(.nameTooLong)
    }
    if subject != Self.place {
      guard let plan = plans.first(where: { $0.text == subject }) else {
        return (nil, mistakes + [.subject])
      }
      return (.medicine(plan), mistakes)
    }
    if time.isEmpty { return (.place(minute: nil), mistakes) }
    guard let clock = TypedText.clockTime(time) else { return (nil, mistakes + [.time]) }
    return (.place(minute: clock.hour * 60 + clock.minute), mistakes)
  }
}
