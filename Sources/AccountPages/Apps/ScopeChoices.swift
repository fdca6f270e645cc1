// SPDX-License-Identifier: Apache-2.0

import Access
import HTML
import Localization
import Web

/// The permissions of an app in plain words: seeing and changing each kind of data.
struct ScopeChoices {
  private let parts: [SMARTGrant]

  private static let seeing: Set<SMARTGrant.Letter> = [.read, .search]
  private static let changing: Set<SMARTGrant.Letter> = [.create, .update, .delete]

  /// Creates the choices of a set of scopes.
  init(_ scopes: SMARTScopes) {
    parts = scopes.grants.flatMap { grant in
      [Self.seeing, Self.changing].compactMap { group -> SMARTGrant? in
        let actions = grant.actions.intersection(group)
        guard !actions.isEmpty else { return nil }
        return SMARTGrant(grant.context, grant.resource, actions, constraint: grant.constraint)
      }
    }
  }

  /// True if there is nothing to choose.
  var isEmpty: Bool { parts.isEmpty }

  /// The values of all choices.
  var values: [String] { parts.map(\.text) }

  /// Returns the choices for a form.
  func fields(_ localizer: Localizer) -> [FieldChoice] {
    parts.map { FieldChoice($0.text, Self.text($0, localizer), hint: Self.hint($0, localizer)) }
  }

  /// Returns the choices as a list of lines.
  func lines(_ localizer: Localizer) -> [String] {
    parts.map { part in
      let hint = Self.hint(part, localizer).map { " (\($0))" } ?? ""
      return Self.text(part, localizer) + hint
    }
  }

  /// The exact notation of the choices with a limit, for the technically minded; empty if there is none.
  func details(_ localizer: Localizer) -> Markup {
    let limited = parts.filter { !$0.constraint.isEmpty }
    guard !limited.isEmpty else { return Markup() }
    return Disclosure(
      localizer.text("apps.limit-details"),
      """
      \(each: limited, {
        "<p class=\"heart-secret\"><code translate=\"no\">\(Self.notation($0))</code></p>"
      })
      """
    ).markup
  }

  private static func notation(_ part: SMARTGrant) -> String {
    let limit = part.constraint.sorted().map { "\($0.name)=\($0.value)" }
    return "\(part.resource)?\(limit.joined(separator: "&"))"
  }

  private static func text(_ part: SMARTGrant, _ localizer: Localizer) -> String {
    let kind = part.resource == SMARTGrant.everyResource ? "all" : part.resource.lowercased()
    let data = localizer.text("apps.data", ["type": .text(kind), "name": .text(part.resource)])
    return localizer.text(
      part.actions.isSubset(of: seeing) ? "apps.see" : "apps.change", ["data": .text(data)])
  }

  private static func hint(_ part: SMARTGrant, _ localizer: Localizer) -> String? {
    var hints: [String] = []
    if part.context == .user { hints.append(localizer.text("apps.everyone")) }
    if !part.constraint.isEmpty {
      let limit = LimitWords(part).text(localizer)
      hints.append(localizer.text("apps.limit", ["limit": .text(limit)]))
    }
    return hints.isEmpty ? nil : hints.joined(separator: " ")
  }
}
