// SPDX-License-Identifier: Apache-2.0

/// A study for tests: two arms, one of which adds reminders.
package enum StudySample {
  /// The file of the study, version 1.
  package static let text = file()

  /// Returns the file with other parts.
  package static func file(
    version: Int = 1, escalating: String = #"{"moreReminders": [15], "earlyNotice": 10}"#,
    consent: String = StudySample.consent,
    share: String = #"["doses", "answers", "reminders", "fhir"]"#,
    outcomes: String = StudySample.outcomes, age: String = #"{"from": 18}"#,
    blocks: String = "[4, 6]", questionnaires: String = "[]", more: String = ""
  ) -> String {
    """
    {
      "id": "reminders-2026", "version": \(version), "languages": ["en", "de"],
      "title": {"en": "Reminders that insist", "de": "Erinnerungen, die nachhaken"},
      "about": {"en": "We compare two kinds of reminders.", "de": "Wir vergleichen Erinnerungen."},
      "contact": "study@example.org", "days": 84,
      "consent": \(consent),
      "eligibility": {
        "age": \(age), "activeMedicine": true,
        "questions": [
          {"id": "phone", "answer": true,
           "text": {"en": "Do you have a phone?", "de": "Haben Sie ein Telefon?"}}
        ]
      },
      "arms": [
        {"id": "basic", "title": {"en": "Usual", "de": "Wie bisher"}, "changes": {}},
        {"id": "escalating", "title": {"en": "More", "de": "Mehr"}, "changes": \(escalating)}
      ],
      "allocation": {"method": "blocks", "blocks": \(blocks)},
      "questionnaires": \(questionnaires),
      "outcomes": \(outcomes),
      "share": \(share)\(more)
    }
    """
  }

  /// The consent of the study.
  package static let consent = """
    {
      "text": {"en": "We read when you take your medicine.", "de": "Wir lesen, wann Sie einnehmen."},
      "questions": [
        {"id": "leave", "right": "yes",
         "text": {"en": "May you stop at any time?", "de": "Dürfen Sie jederzeit aufhören?"},
         "choices": [
           {"id": "yes", "text": {"en": "Yes", "de": "Ja"}},
           {"id": "no", "text": {"en": "No", "de": "Nein"}}
         ]}
      ],
      "signature": "name",
      "withdrawal": {"en": "You can stop at any time.", "de": "Sie können jederzeit aufhören."}
    }
    """

  /// The consent of a study that tells relatives.
  package static let consentWithFamily = consent.replacing(
    "\"questions\":",
    with: """
      "family": {"en": "People you let know are told again.", "de": "Angehörige hören es noch einmal."},
      "questions":
      """)

  /// The outcomes of the study.
  package static let outcomes = """
    [
      {"id": "covered", "measure": "days-covered"},
      {"id": "punctual", "measure": "timing", "minutes": 60},
      {"id": "answer", "measure": "ring-to-answer"}
    ]
    """
}
