# SPDX-License-Identifier: Apache-2.0
"""Who writes each table, for check-tables.py.

A new table gets its line in OWNERS. SHARED lists the tables that still have several writers, with all
of them: it may only shrink.
"""

# By table: the file below Sources, or a pattern of files.
OWNERS: dict[str, str] = {
    "action_links": "Adherence/Reminders/Links/ActionLinks.swift",
    "answers": "Adherence/Answers/AnswerStore.swift",
    "attempts": "Accounts/SignInThrottle.swift",
    "audit": "Storage/Audit/AuditChain.swift",
    "audit_heads": "Storage/Audit/AuditChain.swift",
    "backups": "Storage/Backup/BackupLog.swift",
    "care_notes": "Adherence/CareTeam/CareNotes.swift",
    "chat_conversations": "Adherence/Chat/ChatCommands.swift",
    "clock_notices": "Adherence/Journeys/ClockNotices.swift",
    "communications": "Adherence/Chat/Communications.swift",
    "daily_rhythm": "Adherence/People/PeopleRows.swift",
    "dose_approvals": "Adherence/Children/DoseApprovals.swift",
    "dose_moves": "Adherence/Moves/MovedDoses.swift",
    "dose_shift_moves": "Adherence/Replanning/ShiftRows.swift",
    "dose_shifts": "Adherence/Replanning/ShiftRows.swift",
    "doses": "Adherence/Doses/DoseStore*.swift",
    "emergency_card_openings": "Adherence/EmergencyCard/EmergencyCards.swift",
    "emergency_cards": "Adherence/EmergencyCard/EmergencyCards.swift",
    "figure_months": "Adherence/Report/FigureFolding.swift",
    "first_looks": "Records/ReadAudit.swift",
    "heart_boundaries": "Adherence/Watching/WatchRows.swift",
    "heart_messages": "Adherence/Watching/WatchCommands.swift",
    "heart_questionnaires": "Adherence/Watching/SymptomWeek.swift",
    "heart_unwatched": "Adherence/Watching/WatchRows.swift",
    "heart_watching": "Adherence/Watching/WatchRows.swift",
    "import_uploads": "Server/Import/ImportUploads.swift",
    "imported_administrations": "Adherence/Import/ImportedAdministrations.swift",
    "ingredient_limits": "Adherence/Interactions/IngredientLimits.swift",
    "intakes": "Adherence/Answers/AnswerStore.swift",
    "interaction_notes": "Adherence/Interactions/InteractionNotes.swift",
    "journey_questions": "Adherence/Journeys/JourneyQuestion.swift",
    "ladder_agreements": "Adherence/Reminders/Ladder/LadderCommands.swift",
    "ladder_rungs": "Adherence/Reminders/Ladder/LadderCommands.swift",
    "ladder_standby": "Adherence/Reminders/Ladder/LadderStandby.swift",
    "mailbox_choices": "Adherence/Reminders/Links/Mailboxes.swift",
    "message_preferences": "Adherence/Messages/MessageCommands.swift",
    "message_recipients": "Adherence/Messages/MessageCommands.swift",
    "message_rules": "Adherence/Messages/MessageCommands.swift",
    "node_keys": "Storage/Encryption/NodeKeys.swift",
    "occasion_answers": "Adherence/Reminders/Occasions/OccasionCommands.swift",
    "occasions": "Adherence/Reminders/Occasions/OccasionRows.swift",
    "people": "Adherence/People/PeopleRows.swift",
    "person_photos": "Adherence/Care/PersonPhotos.swift",
    "plan_confirmations": "Adherence/Safety/PlanConfirmations.swift",
    "plan_cycles": "Adherence/Patterns/CycleDays.swift",
    "plan_eras": "Adherence/Plans/PlanRow.swift",
    "plan_limits": "Adherence/AsNeeded/LimitRows.swift",
    "plan_reminders": "Adherence/Reminders/Ladder/LadderCommands.swift",
    "plan_slots": "Adherence/Plans/PlanSlotRows.swift",
    "plan_sources": "Adherence/Import/PlanSources.swift",
    "prescription_warnings": "Adherence/CareTeam/ConfirmedFindings.swift",
    "readers": "Adherence/Plans/PlanRereading.swift",
    "reminder_clock": "Adherence/Reminders/Engine/ReminderClock.swift",
    "secrets": "Adherence/Reminders/Devices/StoredSecrets.swift",
    "server_choices": "Adherence/EmergencyCard/ServerRegion.swift",
    "silenced_channels": "Adherence/Reminders/Ladder/LadderCommands.swift",
    "simple_views": "Adherence/People/SimpleView.swift",
    "sounds": "Adherence/Alarms/OwnSounds.swift",
    "stated_conditions": "Adherence/Interactions/InteractionNotes.swift",
    "stock_marks": "Adherence/Stock/StockMark.swift",
    "stock_notices": "Adherence/Stock/StockNotices.swift",
    "table_imports": "Adherence/Import/TableImports.swift",
    "unknown_doses": "Adherence/Answers/MissedDoses.swift",
    "vital_observation_versions": "Adherence/Vitals/ObservationVersions.swift",
    "vital_preferences": "Adherence/Vitals/VitalCommands.swift",
    "zone_rules": "Adherence/Reminders/Zones/ZoneDataChange.swift",
}

# By table: its writers below Sources. Move their statements to one store, then move the table to OWNERS.
SHARED: dict[str, set[str]] = {
    "accounts": {
        "Accounts/AccountErasure.swift",
        "Accounts/AccountStore.swift",
        "Accounts/Addresses/AddressChange.swift",
        "Accounts/Doors/KnownDevice.swift",
    },
    "address_proofs": {
        "Accounts/AccountErasure.swift",
        "Accounts/Addresses/AddressChange.swift",
        "Accounts/Addresses/ProofCode.swift",
        "Accounts/CredentialRetention.swift",
        "Accounts/SecondFactor/SecondFactorStore.swift",
    },
    "alarms": {
        "Adherence/Alarms/AlarmRows.swift",
        "Adherence/Alarms/OwnSounds.swift",
    },
    "calendar_feeds": {
        "Accounts/AccountStore.swift",
        "Adherence/Calendar/CalendarFeeds.swift",
    },
    "channel_addresses": {
        "Adherence/Reminders/Addresses/ChannelAddresses.swift",
        "Adherence/Reminders/Addresses/ChannelCodes.swift",
    },
    "chat_members": {
        "Adherence/Chat/ChatCommands.swift",
        "Adherence/Chat/ChatNotices.swift",
        "Adherence/Chat/ChatReading.swift",
    },
    "chat_messages": {
        "Adherence/Chat/ChatCommands.swift",
        "Adherence/Chat/ChatReading.swift",
        "Adherence/Chat/ChatRows.swift",
    },
    "chat_photos": {
        "Adherence/Chat/ChatCommands.swift",
        "Adherence/Chat/ChatReading.swift",
        "Adherence/Chat/ChatRows.swift",
    },
    "code_apps": {
        "Accounts/AccountErasure.swift",
        "Accounts/SecondFactor/SecondFactorStore.swift",
    },
    "deliveries": {
        "Adherence/Reminders/Devices/ReminderCommands.swift",
        "Adherence/Reminders/Engine/DeliveryRows.swift",
        "Adherence/Reminders/Engine/ReminderClaiming.swift",
        "Adherence/Reminders/Engine/ReminderClock.swift",
        "Adherence/Reminders/Engine/ReminderCompletion.swift",
        "Adherence/Reminders/Engine/ReminderWake.swift",
        "Adherence/Reminders/Reports/ReminderRetention.swift",
    },
    "device_sign_ins": {
        "Accounts/AccountErasure.swift",
        "Accounts/CredentialRetention.swift",
        "Accounts/Doors/DeviceSignIn.swift",
    },
    "emergencies": {
        "Accounts/AccountErasure.swift",
        "Accounts/BreakGlass/EmergencyCommands.swift",
        "Accounts/BreakGlass/Practitioners.swift",
    },
    "feedback": {
        "Accounts/AccountErasure.swift",
        "Accounts/Feedback/Feedback.swift",
    },
    "grant_invitations": {
        "Accounts/CareTeam/CareRequests.swift",
        "Accounts/Grants/GrantCommands.swift",
        "Accounts/Grants/InvitationCommands.swift",
    },
    "grants": {
        "Accounts/AccountErasure.swift",
        "Accounts/Grants/GrantCommands.swift",
    },
    "heart_glances": {
        "Accounts/AccountStore.swift",
        "Adherence/Watching/Glances.swift",
    },
    "heart_warnings": {
        "Adherence/Watching/Warning.swift",
        "Adherence/Watching/WarningCommands.swift",
        "Adherence/Watching/WarningSilence.swift",
    },
    "hospital_connections": {
        "Accounts/AccountErasure.swift",
        "Exchange/Connections/HospitalCommands.swift",
        "Exchange/Connections/HospitalConnection.swift",
        "Exchange/Outbox/ClaimedAdministration.swift",
        "Exchange/Outbox/HospitalOutbox.swift",
        "Exchange/Sync/ClaimedSync.swift",
    },
    "hospital_marks": {
        "Exchange/Connections/HospitalCommands.swift",
        "Exchange/Sync/ClaimedSync.swift",
    },
    "hospital_medicines": {
        "Exchange/Connections/HospitalCommands.swift",
        "Exchange/Sync/HospitalMedicines.swift",
    },
    "hospital_outbox": {
        "Exchange/Connections/HospitalCommands.swift",
        "Exchange/Outbox/ClaimedAdministration.swift",
        "Exchange/Outbox/HospitalOutbox.swift",
    },
    "hospital_visits": {
        "Exchange/Connections/HospitalCommands.swift",
        "Exchange/Launch/HospitalVisits.swift",
    },
    "idempotency": {
        "Server/HTTP/IdempotencyKey.swift",
        "Server/HTTP/IdempotentWrite.swift",
    },
    "identities": {
        "Accounts/AccountErasure.swift",
        "Accounts/Identities/Identity.swift",
    },
    "identity_offers": {
        "Accounts/AccountErasure.swift",
        "Accounts/CredentialRetention.swift",
        "Accounts/Identities/ProviderVisit.swift",
    },
    "invitation_mails": {
        "Accounts/AccountErasure.swift",
        "Accounts/Grants/InvitationMail.swift",
    },
    "invitations": {
        "Accounts/AccountErasure.swift",
        "Accounts/AccountStore.swift",
        "Accounts/Addresses/AddressChange.swift",
        "Accounts/CredentialRetention.swift",
        "Accounts/Credentials.swift",
    },
    "ladder_settings": {
        "Adherence/Journeys/ClockNotices.swift",
        "Adherence/Reminders/Ladder/LadderCommands.swift",
    },
    "medicine_looks": {
        "Adherence/Looks/LookCommands.swift",
        "Adherence/Looks/LookRows.swift",
    },
    "medicine_photos": {
        "Adherence/Looks/LookCommands.swift",
        "Adherence/Looks/LookRows.swift",
    },
    "message_digests": {
        "Adherence/Messages/MessageCommands.swift",
        "Adherence/Messages/MessageEngine.swift",
    },
    "message_looks": {
        "Adherence/Messages/MessageCommands.swift",
        "Adherence/Messages/MessageEngine.swift",
    },
    "notices": {
        "Adherence/Messages/MessageCommands.swift",
        "Adherence/Messages/MessageEngine.swift",
        "Adherence/Messages/Notice.swift",
        "Adherence/Messages/NoticeCommands.swift",
    },
    "nudges": {
        "Adherence/Messages/MessageCommands.swift",
        "Adherence/Messages/Nudges.swift",
    },
    "passkeys": {
        "Accounts/AccountErasure.swift",
        "Accounts/Passkeys/PasskeyStore.swift",
        "Accounts/SecondFactor/SecondFactorStore.swift",
    },
    "pending_sign_ins": {
        "Accounts/AccountErasure.swift",
        "Accounts/AccountStore.swift",
        "Accounts/CredentialRetention.swift",
        "Accounts/Doors/PendingSignIn.swift",
        "Accounts/SecondFactor/SecondFactorStore.swift",
        "Accounts/Sessions/SessionStore.swift",
    },
    "plans": {
        "Adherence/Plans/PlanRow.swift",
        "Adherence/Plans/ShownName.swift",
        "Adherence/Projections/ProjectionRebuild.swift",
        "Adherence/Report/FigureFolding.swift",
    },
    "practitioner_profiles": {
        "Accounts/AccountErasure.swift",
        "Accounts/CareTeam/PractitionerProfile.swift",
    },
    "practitioners": {
        "Accounts/AccountErasure.swift",
        "Accounts/BreakGlass/Practitioners.swift",
    },
    "prescription_templates": {
        "Accounts/AccountErasure.swift",
        "Adherence/CareTeam/PrescriptionTemplates.swift",
    },
    "proposals": {
        "Adherence/Import/Proposal.swift",
        "Adherence/Import/ProposalCommands.swift",
    },
    "provider_visits": {
        "Accounts/AccountErasure.swift",
        "Accounts/CredentialRetention.swift",
        "Accounts/Identities/ProviderVisit.swift",
    },
    "push_subscriptions": {
        "Adherence/Reminders/Devices/PushSubscriptions.swift",
        "Adherence/Reminders/Devices/ReminderCommands.swift",
        "Adherence/Reminders/Engine/ReminderCompletion.swift",
    },
    "recovery_codes": {
        "Accounts/AccountErasure.swift",
        "Accounts/SecondFactor/SecondFactorStore.swift",
    },
    "reminder_choices": {
        "Adherence/Alarms/OwnSounds.swift",
        "Adherence/Reminders/Ladder/ReminderChoices.swift",
    },
    "reminders": {
        "Adherence/Reminders/Engine/ReminderClock.swift",
        "Adherence/Reminders/Engine/ReminderCompletion.swift",
        "Adherence/Reminders/Engine/ReminderWake.swift",
        "Adherence/Reminders/Occasions/OccasionRows.swift",
        "Adherence/Reminders/Reports/ReminderRetention.swift",
        "Adherence/Reminders/Subjects/ReminderRow.swift",
    },
    "report_links": {
        "Accounts/AccountStore.swift",
        "Adherence/Report/ReportLinks.swift",
    },
    "resource_keys": {
        "Records/PatientHistory.swift",
        "Records/RecordStore.swift",
    },
    "resource_versions": {
        "Records/PatientHistory.swift",
        "Records/RecordStore+Versions.swift",
        "Records/RecordStore.swift",
    },
    "resources": {
        "Records/PatientHistory.swift",
        "Records/RecordStore+Versions.swift",
        "Records/RecordStore.swift",
    },
    "sessions": {
        "Accounts/AccountErasure.swift",
        "Accounts/AccountStore.swift",
        "Accounts/CredentialRetention.swift",
        "Accounts/Credentials.swift",
        "Accounts/SecondFactor/SecondFactorStore.swift",
        "Accounts/Sessions/SessionStore.swift",
    },
    "stock_balances": {
        "Adherence/Stock/StockLedger.swift",
        "Adherence/Stock/StockProjection.swift",
    },
    "stock_dispenses": {
        "Adherence/Stock/DispenseRows.swift",
        "Adherence/Stock/StockProjection.swift",
    },
    "stock_entries": {
        "Adherence/Stock/StockLedger.swift",
        "Adherence/Stock/StockProjection.swift",
    },
    "stock_lots": {
        "Adherence/Stock/StockCommands.swift",
        "Adherence/Stock/StockRows.swift",
    },
    "stock_uses": {
        "Adherence/Stock/StockCommands.swift",
        "Adherence/Stock/StockProjection.swift",
        "Adherence/Stock/StockRows.swift",
    },
    "stocks": {
        "Adherence/Stock/StockCommands.swift",
        "Adherence/Stock/StockNotices.swift",
        "Adherence/Stock/StockProjection.swift",
        "Adherence/Stock/StockRows.swift",
        "Adherence/Stock/StockSteps.swift",
    },
    "tokens": {
        "Accounts/AccountErasure.swift",
        "Accounts/AccountStore.swift",
        "Accounts/CredentialRetention.swift",
        "Accounts/Tokens/TokenStore.swift",
    },
    "used_challenges": {
        "Accounts/CredentialRetention.swift",
        "Accounts/Passkeys/PasskeyStore.swift",
    },
    "vital_days": {
        "Adherence/Vitals/VitalCommands.swift",
        "Adherence/Vitals/VitalRows.swift",
    },
    "vital_observations": {
        "Adherence/Vitals/ObservationCommands.swift",
        "Adherence/Vitals/ObservationRows.swift",
    },
}
