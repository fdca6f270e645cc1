// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Identifiers
import Localization
import Web

/// A patient's part of a practitioner's desk, with the table of patients beside it where there is
/// room.
///
/// A narrow page shows the patient alone. The table stands second in the document, so that people
/// who listen to the page or press Tab meet the patient first.
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

/// A reader of the table of patients, for pages of features that do not know the table.
package struct DeskTable: Sendable {
  /// Reads the table beside an open patient, with the session that asks for it; the result is nil
  /// where the table would not be seen.
  package typealias Reading = @Sendable (PatientID, Call, SignedIn) async throws -> Markup?

  private let reading: Reading

  /// Creates a reader.
  package init(_ reading: @escaping Reading) {
    self.reading = reading
  }

  /// Returns the table beside an open patient; nil where it would not be seen.
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
  /// The table of patients that stands beside an open one.
  package var deskTable: DeskTable { features[DeskTable.self] }
}
