// SPDX-License-Identifier: Apache-2.0
import Scheduling
import Testing
import TestSupport

@testable import Access
@testable import Accounts
@testable import CareTeam
@testable import Dosing
@testable import Exchange
@testable import HeartRate
@testable import HomeDevices
@testable import Observations
@testable import People
@testable import Plans
@testable import Prescriptions
@testable import Records
@testable import Reminders
@testable import Storage
@testable import Supply

/// Each list of values in the schema equals the enumeration that reads the column.
@Suite struct EnumerationTests {
  private static func values<Value: CaseIterable & RawRepresentable>(
    _ type: Value.Type, and others: [String] = []
  ) -> Set<String> where Value.RawValue == String {
    Set(type.allCases.map(\.rawValue) + others)
  }

  private static let lists: [String: Set<String>] = [
    "audit.kind": values(AuditEntry.Kind.self),
    "audit.outcome": values(AuditEntry.Outcome.self),
    "backups.kind": values(BackupRun.Kind.self),
    "export_jobs.state": values(StoredExport.State.self),
    "people.label": values(PersonLabel.Kind.self),
    "people.colour": values(PersonColour.self, and: [""]),
    "daily_rhythm.event": Set(PeopleRows.settableEvents.map(\.code)),
    "apps.kind": values(App.Kind.self),
    "apps.state": values(App.State.self),
    "app_tokens.kind": values(AppTokenKind.self),
    "sessions.kind": values(SessionKind.self),
    "sessions.proof": values(ProofKind.self),
    "grants.relationship": values(Relationship.self),
    "grant_invitations.relationship": values(Relationship.self),
    "grant_invitations.state": values(GrantInvitation.State.self),
    "pending_sign_ins.kind": values(SessionKind.self),
    "device_sign_ins.state": values(DeviceSignIn.State.self),
    "resources.operation": values(RecordOperation.self).subtracting(["delete"]),
    "resource_versions.operation": values(RecordOperation.self),
    "shared_resources.operation": values(RecordOperation.self).subtracting(["delete"]),
    "shared_resource_versions.operation": values(RecordOperation.self),
    // MedicationRequest.status, FHIR R4.
    "plans.status": [
      "active", "on-hold", "cancelled", "completed", "entered-in-error", "stopped", "draft",
      "unknown",
    ],
    "plans.policy": values(ZonePolicy.self),
    "medicine_drafts.purpose": values(MedicineDraft.Purpose.self),
    "plans.kind": values(PlanKind.self),
    "doses.state": values(DoseState.Stored.self),
    "doses.state_reason": values(DoseStateReason.self),
    "dose_reschedulings.decision": values(ReschedulingDecision.self),
    "answers.action": values(AnswerAction.self),
    "medicine_appearances.shape": values(MedicineShape.self),
    "medicine_appearances.color": values(MedicineColor.self),
    "medicine_appearances.second_color": values(MedicineColor.self),
    "reminders.kind": values(ReminderKind.self),
    "reminders.state": values(ReminderState.self),
    "reminders.outcome": values(ReminderOutcome.self),
    "deliveries.channel": values(ReminderChannel.self),
    "deliveries.state": ["waiting", "done"],
    "deliveries.outcome": values(DeliveryOutcome.self),
    "channel_addresses.channel": values(ReminderChannel.self),
    "channel_addresses.form": values(ChannelForm.self),
    "escalation_steps.channel": values(ReminderChannel.self),
    "alerts.kind": values(ReminderKind.self),
    "alerts.state": values(Alert.State.self),
    "alert_answers.action": values(AlertAnswer.Action.self),
    "alarms.kind": values(AlarmKind.self),
    "home_devices.kind": values(HomeDevice.Kind.self),
    "home_device_compartments.meaning": values(HomeDeviceCompartment.Meaning.self),
    "home_device_events.kind": values(DeviceEvent.Kind.self),
    "home_device_events.outcome": values(DeviceOutcome.self),
    "home_device_events.reason": values(DeviceReason.self),
    "message_rules.topic": values(MessageTopic.self),
    "message_rules.way": values(MessageWay.self),
    "caregiver_messages.topic": values(MessageTopic.self),
    "caregiver_messages.way": values(MessageWay.self),
    "caregiver_messages.state": values(CareTeam.CaregiverMessage.State.self),
    "chat_conversations.relationship": values(Relationship.self),
    "chat_messages.side": values(ChatSide.self),
    "chat_messages.role": values(Relationship.self),
    "chat_messages.link_kind": ["", "dose", "warning"],
    "proposals.kind": values(Proposal.Kind.self),
    "proposals.state": values(Proposal.State.self),
    "hospital_connections.version": values(HospitalVersion.self),
    "hospital_connections.access": values(HospitalConnection.Access.self),
    "hospital_connections.state": values(HospitalConnection.State.self),
    "hospital_connections.accepts": values(HospitalConnection.Rule.self),
    "hospital_outbox.state": values(HospitalOutbox.State.self),
    "fhir_subscriptions.topic": values(EventTopic.self),
    "fhir_subscriptions.state": values(EventSubscription.State.self),
    "home_leases.lease": ["mqtt"],
    "reply_talks.action": ["taken", "later", "skipped"],
    "fhir_events.type": ["MedicationRequest", "MedicationAdministration"],
    "vital_days.metric": values(VitalMetric.self),
    "vital_preferences.metric": values(VitalMetric.self),
    "vital_observations.metric": values(VitalMetric.self),
    "heart_rate_monitoring.method": values(HeartRateMethod.self),
    "heart_rate_boundaries.owner": values(BoundarySetting.Owner.self),
    "heart_rate_boundaries.phase": values(BoundarySetting.Phase.self),
    "heart_rate_warnings.kind": values(Warning.Kind.self),
    "heart_rate_warnings.method": values(HeartRateMethod.self),
    "heart_rate_warnings.answer": values(Warning.Answer.self),
    "heart_rate_warnings.done": values(Warning.Done.self),
    "stocks.form": values(StockForm.self),
    "stock_entries.kind": values(StockEntry.Kind.self),
    "stock_marks.mark": values(StockMark.Kind.self),
    "stock_dispenses.state": values(Dispense.State.self),
  ]

  @Test func `every list in the schema matches its enumeration`() {
    var found: [String: Set<String>] = [:]
    for table in Migration.embedded.flatMap({
      $0.sql.matches(of: /CREATE TABLE (\w+) \(.*?\n\)/.dotMatchesNewlines())
    }) {
      let name = table.output.1
      for check in SchemaText(String(table.output.0)).checks {
        // A list, or its values one by one.
        guard
          let match = check.wholeMatch(of: /(\w+) IN \((?:'[^']*'(?:, )?)+\)/)
            ?? check.wholeMatch(of: /(\w+) = '[^']*'(?: OR \w+ = '[^']*')*/)
        else { continue }
        let values = check.matches(of: /'([^']*)'/).map { String($0.output.1) }
        #expect(Set(values).count == values.count, "\(check)")
        found["\(name).\(match.output.1)"] = Set(values)
      }
    }
    for column in Set(found.keys).union(Self.lists.keys) {
      #expect(found[column] == Self.lists[column], "\(column)")
    }
  }

  /// A token that only sends vitals carries its patient in the scope, so this is not a plain list.
  @Test func `every scope of a token is allowed`() throws {
    let table = try #require(
      Migration.embedded.lazy.compactMap { step in
        step.sql.firstMatch(of: /CREATE TABLE tokens \(.*?\n\)/.dotMatchesNewlines())
      }.first)
    let check = try #require(
      SchemaText(String(table.output)).checks.first { $0.hasPrefix("scope ") })
    for scope in TokenScope.allCases { #expect(check.contains("'\(scope.rawValue)"), "\(scope)") }
  }
}
