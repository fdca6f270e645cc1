// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Identifiers
import Localization
import Web

/// A patient's part of a practitioner's desk, with the table of patients next to it if there is
/// room.
///
/// A narrow page shows only the patient. The table is second in the document, so that the patient
/// comes first for screen readers and keyboards.
package struct DeskLayout: PagePart {
  private let patient: Markup
  private let table: Markup?
  private let localizer: Localizer

  /// Creates the two parts; the table is nil on phones.
  package init(patient: Markup, table: Markup?, localizer: Localizer) {
    self.patient = patient
    self.table = table
    self.localizer = localizer
  }

  /// The two parts.
  package var markup: Markup {
    """
    <div class="desk desk-open"><div class="desk-patient stack-large">\(patient)</div>\
    \(table.map(list))</div>
    """
  }

  private func list(_ table: Markup) -> Markup {
    """
    <section class="desk-list stack" aria-label="\(localizer.text("care-team.title"))">\
    \(table)</section>
    """
  }
}

/// A reader of the table of patients, for features that do not know the table.
package struct DeskTable: Sendable {
  /// Reads the table next to an open patient for a session; the result is nil if the table is not
  /// visible.
  package typealias Reading = @Sendable (PatientID, Call, SignedIn) async throws -> Markup?

  private let reading: Reading

  /// Creates a reader.
  package init(_ reading: @escaping Reading) {
    self.reading = reading
  }

  /// Returns the table next to an open patient; nil if it is not visible.
  package func read(
    beside patient: PatientID, _ call: Call, _ signedIn: SignedIn
  ) async throws -> Markup? {
    try await reading(patient, call, signedIn)
  }
}

extension DeskTable: FeatureValue {
  /// A reader without a table.
  package static let absent = DeskTable { _, _, _ in nil }
}

extension ServerEnvironment {
  /// The reader of the table of patients next to an open one.
  package var deskTable: DeskTable { features[DeskTable.self] }
}
