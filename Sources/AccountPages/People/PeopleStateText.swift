// SPDX-License-Identifier: Apache-2.0

import Localization

/// The states of the pages about people, in words.
struct PeopleStateText: Sendable {
  /// The most names in one line.
  static let mostNames = 3

  let localizer: Localizer

  /// Returns up to three names, and the number of the others.
  func names(_ names: [String]) -> String {
    guard names.count > Self.mostNames else { return localizer.list(names) }
    return localizer.text(
      "people.place.and-more",
      [
        "names": .text(names.prefix(Self.mostNames - 1).joined(separator: ", ")),
        "count": .number(names.count - Self.mostNames + 1),
      ])
  }

  func access(_ others: [String]) -> String {
    others.isEmpty ? localizer.text("people.place.no-one") : names(others)
  }

  func team(_ practitioners: [String]) -> String {
    practitioners.isEmpty ? localizer.text("people.place.no-team") : names(practitioners)
  }

  func children(_ children: [String]) -> String {
    children.isEmpty ? localizer.text("people.place.no-children") : names(children)
  }

  func messages(_ count: Int) -> String {
    localizer.text("people.place.messages", ["count": .number(count)])
  }

  func cards(_ count: Int) -> String {
    localizer.text("people.place.cards", ["count": .number(count)])
  }

  func invitations(toConfirm: Int, open: Int) -> String {
    toConfirm > 0
      ? localizer.text("people.place.to-confirm", ["count": .number(toConfirm)])
      : localizer.text("people.place.invitations", ["count": .number(open)])
  }
}
