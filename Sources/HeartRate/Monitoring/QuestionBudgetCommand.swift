// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Observations
import People
import Storage

extension HeartRateCommands {
  /// Saves how many needless questions the person accepts, as chosen by the person or a provider.
  ///
  /// - Parameter budget: The days with a false question in thirty days, one of ``HeartRateSettings/budgets``.
  /// - Throws: ``HeartRateError/budget``, or ``HeartRateError/setByProvider`` while a provider's limit is in
  ///   force.
  package static func setBudget(
    _ budget: Double, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let mayDecide = isProvider(patient, context)
    _ = try VitalCommands.authorize(mayDecide ? .read : .update, patient: patient, context)
    guard HeartRateSettings.budgets.contains(budget) else { throw HeartRateError.budget }
    if try isLocked(for: context, patient, in: writer) { throw HeartRateError.setByProvider }
    var settings = try HeartRateRows.settings(patient, in: writer)
    settings.budget = budget
    try HeartRateRows.save(settings, of: patient, at: context.now, in: writer)
    audit(patient, context, in: writer)
  }
}
