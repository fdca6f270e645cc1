// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Knowledge
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Scheduling
import Storage

/// A proposal with the plan that accepting it would create; nothing is saved.
package struct ProposalPreview: Sendable {
  let item: ProposalReading.Item
  /// The preview; nil if accepting it would be refused.
  private let trial: MedicineTrial?
  /// The broken frequency rule, if only a person can confirm it.
  var tooOften: FrequencyBreach?
  /// The amounts that look like typing errors.
  var amounts: [AmountFinding]
  /// The unanswered question if the doses end with the supply.
  var supply: SupplyQuestion?

  /// Accepts the proposal in a transaction that is then rolled back.
  package static func make(
    _ item: ProposalReading.Item, clock: MedicineClock, context: CommandContext,
    in database: Database
  ) async throws -> ProposalPreview {
    let amounts = AmountFinding.all(in: item.proposal.request)
    let (proposal, patient) = (item.proposal.id, item.proposal.patient)
    do {
      let trial = try await MedicineTrial.run(
        for: patient, clock: clock, context: context, in: database
      ) { writer in
        let id = try ProposalCommands.accept(
          proposal, patient: patient, context: context, in: writer)
        guard let plan = try PlanQueries.plan(id, patient: patient, in: writer) else {
          throw ImportError.notFound
        }
        return plan
      }
      return ProposalPreview(item: item, trial: trial, amounts: amounts)
    } catch ImportError.plan(.tooOften(let breach)) {
      return ProposalPreview(item: item, trial: nil, tooOften: breach, amounts: amounts)
    } catch ImportError.plan(.unusualAmounts(let unconfirmed)) {
      return ProposalPreview(item: item, trial: nil, amounts: unconfirmed)
    } catch ImportError.plan(.supplyUnanswered(let question)) {
      return ProposalPreview(item: item, trial: nil, amounts: [], supply: question)
    } catch ImportError.storage(let error) {
      throw error
    } catch is ImportError {
      // Refused, or decided since the list was read.
      return ProposalPreview(item: item, trial: nil, amounts: amounts)
    }
  }

  /// Returns the preview as the JSON API shows it; `acceptable` is false if accepting it would be
  /// refused.
  package func json(_ clock: MedicineClock) -> JSONValue {
    var json = ProposalJSON(zone: clock.zone).json(item.proposal)
    let medicine = item.shownName(in: clock.localizer.language)
    PreviewJSON.name(medicine, item.proposal.request, clock, in: &json)
    PreviewJSON.unusualAmounts(amounts, clock.localizer, in: &json)
    PreviewJSON.supply(supply, clock.localizer, in: &json)
    json["lookFirst"] = .bool(item.isUrgent)
    if let before = item.before {
      var old: JSONValue = ["id": .string(before.id.text)]
      PreviewJSON.name(before.medicineName, before.request, clock, in: &old)
      json["before"] = old
    }
    json["acceptable"] = .bool(trial != nil)
    if let tooOften {
      json["unplanned"] = .string(UnplannedReason.tooOften(rule: tooOften.rule.id).code)
    }
    if let trial {
      PreviewJSON.ring(
        trial.plan, doses: trial.doses, firstDue: trial.firstDue, clock, in: &json)
    }
    return json
  }
}

/// The form of proposals in the JSON API.
package struct ProposalJSON: Sendable {
  /// The time zone in which times are written.
  package let zone: Zone

  /// Creates a writer for one time zone.
  package init(zone: Zone) {
    self.zone = zone
  }

  /// Returns a proposal's identifiers, kind, state, source and medicine, without any sentence.
  package func json(_ proposal: Proposal) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(proposal.id.text)
    object["patient"] = .string(proposal.patient.text)
    object["kind"] = .string(proposal.kind.rawValue)
    object["state"] = .string(proposal.state.rawValue)
    object["source"] = .string(proposal.source)
    object["from"] = proposal.requester.map(JSONValue.string)
    object["created"] = .string(DoseJSON(zone: zone).text(proposal.created))
    object["plan"] = proposal.plan.map { .string($0.text) }
    object["medicine"] = .string(proposal.shownName(in: .en))
    return .object(object)
  }

  /// Returns a medicine that its source stopped or paused, for a person who has not read about it.
  package func json(stop item: ProposalReading.Item) -> JSONValue {
    let proposal = item.proposal
    var json = json(proposal)
    json["medicine"] = .string(
      item.before?.medicineName ?? proposal.shownName(in: .en))
    json["status"] = .string(proposal.request.status ?? "")
    if let reason = proposal.request.statusReasonText { json["reason"] = .string(reason) }
    return json
  }
}
