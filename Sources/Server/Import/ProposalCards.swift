// SPDX-License-Identifier: Apache-2.0

import Adherence
import FHIR
import HTML
import Identifiers
import Knowledge
import Localization
import Storage

/// The proposals of a patient with the plans that they would change.
struct ProposalReading: Sendable, Hashable {
  struct Item: Sendable, Hashable {
    let proposal: Proposal
    /// The plan as it is; nil for a new medicine.
    let before: Plan?
    /// Whether the source has ended what it would replace: the old times hold until this is answered.
    let isUrgent: Bool
    /// The interaction check of the medicine; nil if it was not checked, or if the medicine is stopped.
    var check: MedicineCheck?
    /// The findings that its practitioner confirmed.
    var confirmed: [String: ConfirmedFindings.Confirmation] = [:]
    /// The confirmations of its schedule and amounts by its practitioner.
    var confirmations: [PlanConfirmations.Kept] = []

    /// The medicine as it would be added.
    var incoming: IncomingMedicine? {
      guard proposal.kind != .stopped else { return nil }
      return IncomingMedicine(
        id: proposal.plan?.text ?? proposal.id.text, request: proposal.request,
        isChange: before != nil)
    }

    /// Returns the name shown to people.
    func shownName(in language: Language) -> String {
      let name = proposal.shownName(in: language)
      return name.isEmpty ? before?.medicineName ?? "" : name
    }
  }

  private(set) var items: [Item] = []
  /// Medicines that their source stopped and that the person has not read of.
  private(set) var stops: [Item] = []
  /// Running plans that are to be looked at before anything is taken.
  var plansToLookAt: Set<PlanID> = []

  var isEmpty: Bool { items.isEmpty && stops.isEmpty }

  init() {}

  /// - Parameter checker: checks the proposals against the current medicines and each other; nil if
  ///   no cards are shown.
  init(patient: PatientID, checker: MedicineChecker? = nil, in reader: any SQLReader) throws {
    try self.init(of: patient, checker: checker, in: reader) {
      try PlanQueries.plan($0, patient: patient, in: reader)
    }
  }

  /// The same of a patient of whom more is read in one snapshot.
  init(of patient: PatientSnapshot, checker: MedicineChecker? = nil) throws {
    try self.init(of: patient.patient, checker: checker, in: patient.reader) {
      try PlanQueries.plan($0, of: patient)
    }
  }

  private init(
    of patient: PatientID, checker: MedicineChecker?, in reader: any SQLReader,
    plan: (PlanID) throws -> Plan?
  ) throws {
    let (open, stopped) = try ProposalQueries.waiting(patient: patient, in: reader)
    if open.isEmpty && stopped.isEmpty { return }
    let urgent = ProposalQueries.plansToLookAt(open)
    plansToLookAt = urgent
    func item(_ proposal: Proposal) throws -> Item {
      let before = try proposal.plan.flatMap(plan)
      return Item(
        proposal: proposal, before: before,
        isUrgent: proposal.plan.map(urgent.contains) ?? false)
    }
    // A stop that came with a replacement is answered together with it.
    items = try open.filter { !($0.kind == .stopped && $0.plan.map(urgent.contains) ?? false) }.map(
      item)
    stops = try stopped.map(item)
    if let checker { try check(by: checker, patient: patient, in: reader) }
  }

  private mutating func check(
    by checker: MedicineChecker, patient: PatientID, in reader: any SQLReader
  ) throws {
    let incoming = items.indices.compactMap { place in
      items[place].incoming.map { (place: place, medicine: $0) }
    }
    let checks = try checker.check(incoming.map(\.medicine), in: reader)
    let prescribed = incoming.map { items[$0.place].proposal }.filter(\.isPrescribed).map(\.id)
    let confirmed = try ConfirmedFindings.all(of: prescribed, patient: patient, in: reader)
    let confirmations = try PlanConfirmations.all(
      of: prescribed.map(\.text), patient: patient, in: reader)
    for ((place, _), check) in zip(incoming, checks) {
      let id = items[place].proposal.id
      items[place].check = check
      items[place].confirmed = confirmed[id] ?? [:]
      items[place].confirmations = confirmations[id.text] ?? []
    }
  }
}

/// What came from elsewhere, first on Today: the old and the new sentence, and one press.
struct ProposalCards: PagePart {
  let reading: ProposalReading
  let token: FormToken
  let words: DoseWords
  let list: InteractionList

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    if reading.isEmpty { return Markup() }
    return """
      \(Section(
        localizer.text("import.today"), id: "proposals",
        "<div class=\"stack\">\(each: reading.stops, stop)\(each: reading.items, card)</div>"))
      """
  }

  private func card(_ item: ProposalReading.Item) -> Markup {
    let proposal = item.proposal
    let request = proposal.request
    let name = item.shownName(in: localizer.language)
    let words = DosageWords(request, language: localizer.language)
    let content: Markup = """
      \(item.isUrgent ? Notice(.warning, title: localizer.text("import.look-first")) : nil)\
      \(from(proposal))\(kind(item))\(sentences(item, words))\(confirmations(item))\
      \(each: words.quotes, { "<blockquote>\($0)</blockquote>" })\(findings(item))\
      \(ButtonRow("\(button(item, "accept", .primary, .check, name))\(button(item, "decline", .quiet, nil, name))"))\
      \(if: item.isUrgent && !proposal.isPrescribed,
        "<p class=\"small muted\">\(localizer.text("import.decline-stops"))</p>")
      """
    return Card(title: name, level: .third, content).markup
  }

  /// Returns the findings, shown above the button that accepts it.
  private func findings(_ item: ProposalReading.Item) -> Markup? {
    item.check.map {
      MedicineFindings($0, list: list, words: words, confirmed: item.confirmed).markup
    }
  }

  private func confirmations(_ item: ProposalReading.Item) -> Markup {
    let text = QuestionText(localizer: localizer)
    return "\(each: item.confirmations, { "<p class=\"muted\">\(text.text($0, words))</p>" })"
  }

  private func from(_ proposal: Proposal) -> Markup? {
    // Other times for what nobody prescribed name no requester.
    let name = proposal.requester ?? (proposal.isPrescribed ? proposal.source : nil)
    return name.map { name in
      "<p class=\"muted\">\(localizer.text("import.from", ["name": .text(name)]))</p>"
    }
  }

  private func kind(_ item: ProposalReading.Item) -> Markup {
    "<p>\(localizer.text("import.kind", ["kind": .text(item.proposal.kind.rawValue)]))</p>"
  }

  private func sentences(_ item: ProposalReading.Item, _ words: DosageWords) -> Markup {
    guard item.proposal.kind == .changed, let before = item.before else {
      return "<p>\(words.sentence)</p>"
    }
    let old = DosageWords(before.request, language: localizer.language)
    return DescriptionList([
      .init(localizer.text("import.before"), Self.named(before.medicineName, old.sentence)),
      .init(
        localizer.text("import.after"),
        Self.named(item.proposal.shownName(in: localizer.language), words.sentence)),
    ]).markup
  }

  /// The medicine and its sentence, each on its own.
  private static func named(_ name: String, _ sentence: String) -> String {
    sentence.isEmpty ? name : "\(name): \(sentence)"
  }

  private func button(
    _ item: ProposalReading.Item, _ action: String, _ kind: ButtonKind, _ icon: Icon?,
    _ name: String
  ) -> FormButton {
    FormButton(
      action == "accept"
        ? localizer.text("import.accept", ["kind": .text(item.proposal.kind.rawValue)])
        : localizer.text("import.decline"),
      action: "/proposals/\(item.proposal.id)", token: token, fields: [("action", action)],
      kind: kind, icon: icon, object: name)
  }

  private func stop(_ item: ProposalReading.Item) -> Markup {
    let name = item.before?.medicineName ?? item.proposal.shownName(in: localizer.language)
    let reason = item.proposal.request.statusReasonText
    // Whoever stopped it here; elsewhere the source is a file.
    let from =
      item.proposal.isPrescribed
      ? "<p>\(localizer.text("import.from", ["name": .text(item.proposal.source)]))</p>" as Markup
      : nil
    let status = item.proposal.request.status ?? ""
    let button = FormButton(
      localizer.text("import.understood"), action: "/proposals/\(item.proposal.id)",
      token: token, fields: [("action", "seen")], kind: .secondary, icon: .check, object: name)
    return Notice(
      .warning,
      title: localizer.text(
        "import.stopped", ["name": .text(name), "status": .text(status)]),
      "\(from)\(reason.map { "<blockquote>\($0)</blockquote>" as Markup })\(button)"
    ).markup
  }
}
