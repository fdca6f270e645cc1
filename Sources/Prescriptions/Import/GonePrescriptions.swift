// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Localization
import People
import Plans
import Storage

extension ProposalCommands {
  /// Asks the person if a medicine ends, because its source no longer has the prescription.
  ///
  /// The medicine goes on until someone decides. Nothing is asked twice, unless the source had it again in
  /// the meantime. A prescription that still waited for the person is withdrawn.
  ///
  /// - Returns: True if a question was added.
  @discardableResult
  package static func proposeEnd(
    of gone: ForeignPrescription, patient: PatientID, source: String, context: CommandContext,
    in writer: any SQLWriter
  ) throws(ImportError) -> Bool {
    try importing {
      _ = try PlanCommands.authorize(.create, patient: patient, context)
      // Someone may have decided since it was read.
      let known = try ForeignPrescriptions.known(from: source, patient: patient, in: writer)
      guard let current = known.first(where: { $0.first == gone.first }), !current.isAsked else {
        return false
      }
      let rows = try ProposalRows.all(key: current.first, patient: patient, in: writer)
        .filter { $0.source == source }
      for waiting in rows where waiting.state == .open {
        try decide(waiting, .outdated, plan: nil, context, in: writer)
      }
      guard let plan = current.plan,
        let snapshot = try PlanSnapshot.load(plan, patient: patient, in: writer)
      else { return false }
      var request = snapshot.request.json
      request["status"] = "stopped"
      request["statusReason"] = try reason(patient, in: writer)
      request["id"] = nil
      request["meta"]?["versionId"] = nil
      request["meta"]?["lastUpdated"] = nil
      let keys = rows.first?.keys ?? [current.first]
      let proposal = Proposal(
        id: context.newID(), patient: patient, source: source, keys: keys, kind: .stopped,
        digest: Proposal.goneDigest, sourceUpdated: context.now.milliseconds, plan: plan,
        state: .open, request: MedicationRequestView(request), created: context.now)
      try ProposalStore.insert(proposal, by: context.actor.accountID, in: writer)
      audit(proposal, .create, context, in: writer)
      return true
    }
  }

  /// Withdraws the question about a prescription that its source has again.
  package static func withdrawEnd(
    of found: ForeignPrescription, patient: PatientID, source: String, context: CommandContext,
    in writer: any SQLWriter
  ) throws(ImportError) {
    try importing {
      _ = try PlanCommands.authorize(.create, patient: patient, context)
      for asked in try ProposalRows.all(key: found.first, patient: patient, in: writer)
      where asked.source == source && asked.isGone
        && (asked.state == .open || asked.state == .declined)
      {
        // A declined question is withdrawn too, so that it can be asked once more.
        try decide(asked, .outdated, plan: nil, context, in: writer)
      }
    }
  }

  /// Returns the reason that the medicine will show, in the patient's language.
  private static func reason(_ patient: PatientID, in reader: any SQLReader) throws -> JSONValue {
    let language = try PlanCommands.person(patient, in: reader).language
    return ["text": .string(Localizer.of(language).text("import.gone-reason"))]
  }
}
