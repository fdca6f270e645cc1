// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import Localization
import Presentation

/// The text of a patient summary's sections, in limited XHTML.
struct SummaryNarrative: Sendable {
  let localizer: Localizer
  /// The shared resources, among them the medicines that prescriptions refer to.
  let shared: [FoundResource]

  func title(of section: SummaryContent.Section) -> String {
    switch section {
    case .medicines: localizer.text("report.plan")
    case .allergies: localizer.text("emergency-card.allergies")
    case .problems: localizer.text("emergency-card.conditions")
    }
  }

  /// Returns a section without entries.
  func note(_ key: MessageKey) -> Markup { wrapped("<p>\(localizer.text(key))</p>") }

  /// Returns a section with a line for each resource.
  func list(_ resources: [JSONValue]) -> Markup {
    wrapped("<ul>\(each: resources.map(line), { "<li>\($0)</li>" })</ul>")
  }

  private func wrapped(_ content: Markup) -> Markup {
    "<div xmlns=\"http://www.w3.org/1999/xhtml\">\(content)</div>"
  }

  /// Returns the name, and for a medicine how to take it.
  private func line(_ resource: JSONValue) -> String {
    guard resource["medicationCodeableConcept"] != nil || resource["medicationReference"] != nil
    else { return Self.text(of: resource["code"]) ?? Self.unnamed }
    let request = MedicationRequestView(resource)
    let name = request.medicationName ?? referred(request.medication.reference) ?? Self.unnamed
    guard !request.dosages.isEmpty else {
      let said = resource["dosage"]?.array?.compactMap { $0["text"]?.string } ?? []
      return said.isEmpty ? name : "\(name): \(said.joined(separator: "; "))"
    }
    return "\(name): \(DosageFormatter(request, language: localizer.language).sentence)"
  }

  private static let unnamed = "–"

  /// Returns the name of a medicine that is a resource of its own.
  private func referred(_ reference: String?) -> String? {
    guard let id = reference?.split(separator: "/").last else { return nil }
    return shared.first { $0.type == .medication && $0.id == id }
      .flatMap { Self.text(of: $0.json?["code"]) }
  }

  /// Returns the text of a concept, else its first display, else its first code.
  private static func text(of concept: JSONValue?) -> String? {
    if let text = concept?["text"]?.string, !text.isEmpty { return text }
    let codings = concept?["coding"]?.array ?? []
    return codings.lazy.compactMap { $0["display"]?.string }.first
      ?? codings.lazy.compactMap { $0["code"]?.string }.first
  }
}
