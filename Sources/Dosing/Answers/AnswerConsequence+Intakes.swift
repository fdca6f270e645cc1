// SPDX-License-Identifier: Apache-2.0

import People
import Plans
import Storage

extension AnswerConsequence {
  /// Maintains the intakes read by the double-dose question, the limits and the dose times.
  package static let intakes = AnswerConsequence("intakes") {
    (recorded, ledger) throws(AnswerError) in
    try storing { () throws(StorageError) in
      switch recorded.intake {
      case nil:
        break
      case .counted(let administration, let intake), .recounted(let administration, let intake):
        try AnswerStore.count(
          IntakeRow(
            intake, administration, at: recorded.place, patient: ledger.patient,
            context: ledger.context), in: ledger.writer)
      case .uncounted(let administration):
        try AnswerStore.uncount(administration, patient: ledger.patient, in: ledger.writer)
      case .linked(let administrations):
        guard let plan = recorded.place.plan else { return }
        for administration in administrations {
          try AnswerStore.linkIntake(
            administration, to: plan, patient: ledger.patient, at: ledger.context.now,
            in: ledger.writer)
        }
      }
    }
  }

  /// Reschedules the future doses of a plan whose hours are counted from the last intake.
  package static let followingDoses = AnswerConsequence(
    "doses timed from the last intake"
  ) { (recorded, ledger) throws(AnswerError) in
    guard recorded.changesOutcome, recorded.possible.mayFollowIntake else { return }
    try storing { () throws(StorageError) in
      try IntakeFollower.renew(
        recorded.place.plan, patient: ledger.patient, context: ledger.context, in: ledger.writer)
    }
  }
}

extension PlanConsequence {
  /// Renews the shown name of a plan's recorded intakes.
  package static let intakeNames = PlanConsequence(
    "names of intakes"
  ) { (event, plan, patient, writer) throws(StorageError) in
    guard case .renamed(let old, let new) = event else { return }
    try AnswerStore.rename(intakesOf: plan, patient: patient, from: old, to: new, in: writer)
  }
}
