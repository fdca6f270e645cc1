// SPDX-License-Identifier: Apache-2.0

/// A study, by the id in its file.
package struct StudyID: Identifier {
  /// The id of the study.
  package let text: String

  /// Creates the identifier of a study from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// The pseudonym of a participant, random and different in each study.
package struct StudyPseudonym: Identifier {
  /// The pseudonym as it appears in exports.
  package let text: String

  /// Creates a pseudonym from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}
