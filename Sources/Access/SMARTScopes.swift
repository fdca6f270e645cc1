// SPDX-License-Identifier: Apache-2.0

/// The scopes of an app, as SMART App Launch names them.
///
/// The set operations compare scopes of the same context only: a permission for one patient is not seen as part of
/// one for every patient, because each belongs to a different way of starting an app.
package struct SMARTScopes: Sendable, Hashable {
  /// A scope about signing in and starting an app, rather than about resources.
  package enum Launch: String, Sendable, Hashable, CaseIterable {
    /// Started from the record of a patient.
    case launch
    /// The app needs to know for which patient it was started.
    case launchPatient = "launch/patient"
    /// The app learns who signed in.
    case openID = "openid"
    /// The app learns the FHIR resource of the person who signed in.
    case fhirUser
    /// The app learns the name of the person who signed in.
    case profile
    /// Access continues while the person is away.
    case offlineAccess = "offline_access"
    /// Access continues while the person stays signed in.
    case onlineAccess = "online_access"
  }

  /// The permissions on resources, normalised and in the order of their text.
  package let grants: [SMARTGrant]
  /// The other scopes.
  package let launch: Set<Launch>
  /// The scopes that were asked for and not understood, in the order in which they were sent.
  package let refused: [String]
  /// The scopes exactly as the app asked for them; the normalised text if they were not parsed.
  package let asked: String

  /// Creates a set of scopes; permissions that others cover are left out.
  package init(_ grants: [SMARTGrant], launch: Set<Launch> = []) {
    self.init(grants, launch: launch, refused: [], asked: nil)
  }

  init(_ grants: [SMARTGrant], launch: Set<Launch>, refused: [String], asked: String?) {
    let normalised = Self.normalised(grants)
    self.grants = normalised
    self.launch = launch
    self.refused = refused
    self.asked = asked ?? Self.text(normalised, launch)
  }

  /// No scope at all.
  package static let none = SMARTScopes([])

  /// The normalised scopes in the notation of SMART App Launch 2, separated by spaces.
  package var text: String { Self.text(grants, launch) }

  /// True if no permission and no other scope is left.
  package var isEmpty: Bool { grants.isEmpty && launch.isEmpty }

  private static func text(_ grants: [SMARTGrant], _ launch: Set<Launch>) -> String {
    (Launch.allCases.filter(launch.contains).map(\.rawValue) + grants.map(\.text))
      .joined(separator: " ")
  }

  /// Returns the same permissions with as few grants as possible: one for each context, resource and constraint,
  /// with the actions that no wider grant covers.
  private static func normalised(_ grants: [SMARTGrant]) -> [SMARTGrant] {
    let all = Set(grants.flatMap(\.single))
    let needed = all.filter { one in !all.contains { $0 != one && $0.covers(one) } }
    let groups = Dictionary(grouping: needed) {
      SMARTGrant($0.context, $0.resource, [], constraint: $0.constraint)
    }
    return groups.map { key, parts in
      SMARTGrant(
        key.context, key.resource, Set(parts.flatMap(\.actions)), constraint: key.constraint)
    }.sorted { $0.text < $1.text }
  }
}

// MARK: Set operations

extension SMARTScopes {
  /// Returns true if other scopes allow everything that these allow.
  ///
  /// A permission with a constraint is part of the same one without it, and not the other way round.
  package func isSubset(of other: SMARTScopes) -> Bool {
    launch.isSubset(of: other.launch)
      && grants.flatMap(\.single).allSatisfy { one in
        other.grants.contains { $0.covers(one) }
      }
  }

  /// Returns what both allow.
  package func intersection(_ other: SMARTScopes) -> SMARTScopes {
    SMARTScopes(
      grants.flatMap { one in other.grants.compactMap { one.meet($0) } },
      launch: launch.intersection(other.launch))
  }

  /// Returns these scopes with only what a person selected; anything else in the selection has no effect.
  ///
  /// Keeps the text that the app asked for, and what was refused of it.
  package func narrowed(to selected: SMARTScopes) -> SMARTScopes {
    let common = intersection(selected)
    return SMARTScopes(common.grants, launch: common.launch, refused: refused, asked: asked)
  }

  /// Returns only the permissions of some contexts, with the same other scopes.
  package func only(_ contexts: Set<SMARTGrant.Context>) -> SMARTScopes {
    SMARTScopes(
      grants.filter { contexts.contains($0.context) }, launch: launch, refused: refused,
      asked: asked)
  }
}

// MARK: Decisions

extension SMARTScopes {
  /// Returns true if some permission allows an action on a resource, at least for some of its content.
  ///
  /// - Parameter resource: A FHIR type, or one of the program's own resources.
  package func allows(_ action: Action, _ resource: String) -> Bool {
    allows(action, resource, in: Set(SMARTGrant.Context.allCases))
  }

  /// Returns the same for the permissions of some contexts.
  package func allows(
    _ action: Action, _ resource: String, in contexts: Set<SMARTGrant.Context>
  ) -> Bool {
    guard let needs = SMARTResources.needs(of: action, on: resource) else { return false }
    let covering = grants.filter { contexts.contains($0.context) }
    return needs.allSatisfy { need in
      covering.contains {
        $0.actions.contains(need.letter) && $0.names(need.resource)
          && (!need.isWhole || $0.constraint.isEmpty)
      }
    }
  }

  /// Returns the constraints of which a resource must match at least one; nil if there is no limit, and an empty list
  /// if the action is not allowed at all.
  ///
  /// - Parameter resource: A FHIR type.
  package func constraints(
    for resource: String, _ action: Action
  ) -> [[SMARTCondition]]? {
    constraints(for: resource, action, in: Set(SMARTGrant.Context.allCases))
  }

  /// Returns the same for the permissions of some contexts.
  package func constraints(
    for resource: String, _ action: Action, in contexts: Set<SMARTGrant.Context>
  ) -> [[SMARTCondition]]? {
    guard let needs = SMARTResources.needs(of: action, on: resource) else { return [] }
    guard needs.allSatisfy({ $0.resource == resource }) else {
      // The program's own resources are allowed as a whole, or not at all.
      return allows(action, resource, in: contexts) ? nil : []
    }
    let covering = grants.filter { contexts.contains($0.context) && $0.names(resource) }
    // An action with two letters, such as an export, needs a content for which both are allowed.
    var found: Set<Set<SMARTCondition>> = [[]]
    for need in needs {
      let limits = covering.filter { $0.actions.contains(need.letter) }.map(\.constraint)
      found = Set(found.flatMap { one in limits.map { one.union($0) } })
    }
    guard !found.contains([]) else { return nil }
    return found.map { $0.sorted() }.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
