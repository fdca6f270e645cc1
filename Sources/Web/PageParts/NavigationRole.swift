// SPDX-License-Identifier: Apache-2.0

import Access

/// The kind of navigation that a viewer needs; it determines the tabs of a page.
package enum NavigationRole: Sendable, Hashable, CaseIterable {
  /// The person whose medicines they are, or someone who acts for that person.
  case patient
  /// Family or friends who may only look.
  case viewer
  /// An account that cares for patients; its own medicines are behind "My health".
  case practitioner

  /// Returns the role of an account with these people in reach, on the pages of one of them.
  ///
  /// - Parameter isConfirmed: True for a confirmed practitioner, who needs the practitioner's
  ///   places before the first patient too.
  init(people: [PersonInReach], person: PersonInReach?, isConfirmed: Bool = false) {
    if isConfirmed || PersonSwitcher.hasPatients(people) {
      self = .practitioner
    } else if person?.mayAct == false {
      self = .viewer
    } else {
      self = .patient
    }
  }

  /// The tabs in the order in which they are shown.
  package var tabs: [NavigationItem] {
    switch self {
    case .patient: [.today, .medicines, .progress, .people, .me]
    case .viewer: [.today, .people, .me]
    case .practitioner: [.patients, .inbox, .lookup, .me]
    }
  }

  /// The place that opens first.
  package var home: NavigationItem {
    self == .practitioner ? .patients : .today
  }

  /// Returns the tab that a place belongs to.
  ///
  /// - Parameter mayAct: True on pages of a person for whom the account acts.
  package func tab(of place: NavigationItem, mayAct: Bool = true) -> NavigationItem {
    switch (self, place) {
    case (.patient, .lookup): .medicines
    case (.patient, .inbox), (.patient, .patients): .people
    case (.viewer, .medicines), (.viewer, .lookup), (.viewer, .progress): .today
    case (.viewer, .inbox), (.viewer, .patients): .people
    case (.practitioner, .people): .me
    case (.practitioner, .today), (.practitioner, .medicines), (.practitioner, .progress):
      mayAct ? .me : .patients
    default: place
    }
  }
}
