// SPDX-License-Identifier: Apache-2.0

import Access
import HTML
import Localization
import People
import SiteMap

/// The name of the page's person, at the top of every page.
///
/// If an account has several people, it also links to the pages of the others, without scripts.
package struct PersonSwitcher: PagePart {
  let frame: PageFrame
  let name: String
  let token: FormToken

  private var localizer: Localizer { frame.localizer }

  /// The name, or a menu if there are several people.
  package var markup: Markup {
    guard frame.people.count > 1, let current = frame.person else {
      return """
        <a class="person" href="\(frame.addresses[.me])">\
        \(frame.person.map(face) ?? face(initial(name), colour: nil))<span class="person-name">\(name)</span></a>
        """
    }
    return """
      <details class="person-switch"><summary class="person">\(face(current))\
      <span class="person-name">\(current.name)</span>\
      <span class="visually-hidden"> · \(localizer.text("people.switch"))</span>\(Icon.chevron)\
      </summary><div class="person-choices"><form method="post" action="\(PersonChoice.path)">\
      \(token)<input type="hidden" name="return" value="\(returnAddress)">\
      <ul role="list">\(each: Self.offered(frame.people, current: current), choice)</ul></form>\
      \(frame.pieces(at: .personSwitcher))\
      </div></details>
      """
  }

  /// The other person's page to open: the same place, if it is about a person.
  private var returnAddress: String {
    switch frame.place {
    case .medicines, .progress, .people, .me: frame.place.map { frame.addresses[$0] } ?? "/"
    case .today, .lookup, .inbox, .patients, nil: "/"
    }
  }

  /// The most patients of a practitioner that the menu lists.
  private static let fewPatients = 12

  /// Returns the people to choose from.
  ///
  /// If a practitioner has more than 12 patients, only the chosen one is offered; the panel lists
  /// the rest.
  package static func offered(_ people: [PersonInReach], current: PersonInReach?) -> [PersonInReach]
  {
    let patients = people.count { $0.right.relationship == .practitioner }
    guard patients > fewPatients else { return people }
    return people.filter {
      $0.right.relationship != .practitioner || $0.patient == current?.patient
    }
  }

  /// Returns true if the account cares for anyone as a practitioner.
  package static func hasPatients(_ people: [PersonInReach]) -> Bool {
    people.contains { $0.right.relationship == .practitioner }
  }

  /// Returns a link that a feature adds at the end of the list.
  package static func link(_ title: String, address: String) -> Markup {
    """
    <a class="person-manage" href="\(address)">\(title)</a>
    """
  }

  private func choice(_ person: PersonInReach) -> Markup {
    let isCurrent = person.patient == frame.person?.patient
    return """
      <li><button type="submit" class="person-choice" name="\(PersonChoice.field)" \
      value="\(person.patient)"\(if: isCurrent, " aria-current=\"true\"")>\(face(person))\
      <span>\(person.name)</span></button></li>
      """
  }

  private func face(_ person: PersonInReach) -> Markup {
    if let photo = person.photo {
      return """
        <img class="person-initial person-photo" src="\(photo)" alt="" width="36" height="36">
        """
    }
    return face(initial(person.calledName), colour: person.label.colour?.rawValue)
  }

  private func face(_ initial: String, colour: String?) -> Markup {
    """
    <span class="person-initial"\(Markup.attribute("data-colour", colour)) aria-hidden="true">\
    \(initial)</span>
    """
  }

  private func initial(_ name: String) -> String {
    name.first.map { localizer.capitalized(String($0)) } ?? ""
  }
}
