// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A person's choice about the sites of one medicine.
package struct SiteChoice: Sendable, Hashable {
  /// The wear times that can be chosen, in minutes: up to ten years.
  package static let wear = 15...5_256_000

  /// True if the sites are recorded.
  package let isOn: Bool
  /// The kind of use.
  package let kind: SiteKind
  /// The allowed sites, in their order; never empty.
  package let sites: [BodySite]
  /// The minutes after which it is taken off; nil if it is not.
  package let wearMinutes: Int?

  /// Creates a choice; without sites, all of the kind are allowed.
  package init(isOn: Bool, kind: SiteKind, sites: [BodySite] = [], wearMinutes: Int? = nil) {
    self.isOn = isOn
    self.kind = kind
    let allowed = kind.sites.filter(Set(sites).contains)
    self.sites = allowed.isEmpty ? kind.sites : allowed
    self.wearMinutes = kind.isWorn ? wearMinutes : nil
  }

  /// The allowed sites as stored: empty for all.
  var text: String {
    sites == kind.sites ? "" : sites.map(\.rawValue).joined(separator: " ")
  }
}

/// A dose with its site.
package struct SiteUse: Sendable, Hashable {
  /// The MedicationAdministration of the dose.
  package let administration: AdministrationID
  /// The plan of the medicine.
  package let plan: PlanID
  /// The site; nil until it is stated.
  package let site: BodySite?
  /// The time at which it was used.
  package let used: Timestamp
  /// The reactions at the site.
  package let reactions: [SiteReaction]
  /// The time at which it should be taken off; nil if it is not.
  package let removeDue: Timestamp?
  /// The time at which it was taken off; nil if it was not.
  package let removed: Timestamp?

  /// True if it is still on or in the body.
  package var isWorn: Bool { removeDue != nil && removed == nil }

  /// The difference between the planned and the actual removal; nil if it was not taken off.
  package var removal: RemovalTiming? {
    guard let removeDue, let removed else { return nil }
    return RemovalTiming(due: removeDue, removed: removed)
  }
}

/// A reason why something about a site was not saved.
package enum SiteError: Error, Sendable, Hashable {
  /// There is no such medicine or dose, or the person may not know of it.
  case notFound
  /// The site is not one of the allowed ones.
  case site
  /// The wear time is outside ``SiteChoice/wear``.
  case wear
  /// It is not worn, or was taken off before.
  case notWorn
  /// The time is before the dose, or in the future.
  case time
}
