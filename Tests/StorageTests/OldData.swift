// SPDX-License-Identifier: Apache-2.0

/// Rows for the tables of every step, as an earlier version would have written them.
enum OldData {
  /// What each step's tables are filled with; a new step is added here.
  static let rows: [String: [String]] = [
    "m0001-storage": [
      """
      INSERT INTO audit (node, sequence, at, actor, kind, patient, resource, resource_id, version,
        purpose, outcome, count, hash, mac, key_id) VALUES ('old', 1, 5, 'ann', 'read', 'p', 'Patient', NULL, NULL, 'care',
        'success', 1, x'00', x'00', 'k')
      """,
      "INSERT INTO audit_heads VALUES ('old', 1, x'00', x'00', 'k')",
    ],
    "m0002-records": [
      """
      INSERT INTO resources VALUES ('Patient', 'p', 'p', 2, 7, NULL, 'update', 'ann',
        '{"resourceType":"Patient"}')
      """,
      "INSERT INTO resource_keys VALUES ('Patient', 'p', 'p')",
      "INSERT INTO resource_versions VALUES ('Patient', 'p', 'p', 1, 6, 'create', 'ann', '{}')",
      "INSERT INTO first_looks VALUES ('p', 'ann', 8)",
    ],
    "m0003-accounts": [
      """
      INSERT INTO accounts (account, email_sealed, email_index, display_name, patient, password_hash,
        administrator, language, created, changed)
        VALUES ('ann', x'01', x'02', 'Ann', 'p', NULL, 1, 'de', 3, 4)
      """,
      "INSERT INTO sessions (digest, account, created, expires) VALUES (x'03', 'ann', 3, 9)",
      "INSERT INTO tokens (digest, account, scope, created, expires) VALUES (x'04', 'ann', 'user/*.cruds', 3, NULL)",
      "INSERT INTO invitations VALUES (x'05', 'ann', 3, 9, NULL)",
      """
      INSERT INTO grants (patient, account, relationship, starts, ends)
        VALUES ('p', 'ann', 'self', 0, NULL), ('p', 'bob', 'family', 5, NULL)
      """,
    ],
    "m0004-adherence": [
      """
      INSERT INTO people (patient, display_name, zone, language)
        VALUES ('p', 'Ann', 'Europe/Berlin', 'de')
      """,
      "INSERT INTO daily_rhythm VALUES ('p', 'ACM', '08:00')",
      """
      INSERT INTO plans (patient, plan, request_version, status, unplanned_reason, medicine_name,
        ingredients, policy, era, kind, anchor, anchor_date, active_from, minimum_gap, planned_through,
        created, changed)
        VALUES ('p', 'plan', 1, 'active', NULL, 'Metoprolol', 'name:metoprolol',
        'follow', 1, 'calendar', 0, '2026-03-01', 0, 3600000, 99, 1, 2)
      """,
      "INSERT INTO plan_eras VALUES ('p', 'plan', 1, 'Europe/Berlin', 'calendar', 0)",
      "INSERT INTO plan_slots VALUES ('p', 'plan', 1, 0, '08:00:00', NULL)",
      """
      INSERT INTO doses (patient, plan, era, occurrence, due, on_time_until, late_until, state,
        version, answer) VALUES ('p', 'plan', 1, '20260301-1', 10, 20, 30, 'taken', 2, 'a1')
      """,
      """
      INSERT INTO answers (patient, answer, plan, era, occurrence, event, action, at, recorded,
        account, by_name, dose_version, administration)
        VALUES ('p', 'a1', 'plan', 1, '20260301-1', 'e1', 'taken', 12, 13, 'ann', 'Ann', 2, 'm1')
      """,
      """
      INSERT INTO intakes (patient, administration, plan, era, occurrence, medicine_name,
        ingredients, taken, recorded, by_name)
        VALUES ('p', 'm1', 'plan', 1, '20260301-1', 'Metoprolol', 'name:metoprolol', 12, 13, 'Ann')
      """,
    ],
    "m0005-idempotency": [
      """
      INSERT INTO idempotency (credential, method, path, idempotency_key, body_digest, status,
        media_type, body, created) VALUES ('c', 'POST', '/x', 'k', x'06', 201, 'text/plain', x'07', 5)
      """
    ],
    "m0006-reminders": [
      """
      INSERT INTO reminders (patient, subject, kind, generation, started, rung, next_at, due, ends,
        fresh_until, state, outcome, opened, closed)
        VALUES ('p', 's', 'doses', 1, 10, 0, 10, 10, 30, 20, 'closed', 'answered', 10, 12)
      """,
      """
      INSERT INTO deliveries (patient, delivery, subject, generation, rung, recipient, channel,
        address, doses, due, planned, state, next_try, attempt, changed)
        VALUES ('p', 'd', 's', 1, 0, 'ann', 'push', 'sub', 'plan_1_20260301-1', 10, 10, 'done', 0,
        1, 11)
      """,
      """
      INSERT INTO push_subscriptions (subscription, account, endpoint_sealed, endpoint_index,
        keys_sealed, host, created, handed_over, unshown)
        VALUES ('sub', 'ann', x'08', x'09', x'0a', 'push.example.org', 5, 1, 0)
      """,
      "INSERT INTO secrets VALUES ('vapid', x'0b')",
      "INSERT INTO reminder_clock VALUES (1, 10, 5)",
      "INSERT INTO zone_rules VALUES ('Europe/Berlin', 'f')",
    ],
    "m0007-proposals": [
      """
      INSERT INTO proposals (patient, proposal, source, source_key, other_keys, kind, resource,
        digest, state, created, created_by)
        VALUES ('p', 'pr', 'file', 'k', '', 'new', '{}', 'd', 'open', 5, 'ann')
      """,
      "INSERT INTO plan_sources VALUES ('p', 'k', 'plan')",
      "INSERT INTO imported_administrations VALUES ('p', 'k', 'm1', 'd', NULL, 'plan')",
      "INSERT INTO import_uploads VALUES ('p', 'u', 0, 'ann', 'file.json', x'0c', 5)",
    ],
    "m0008-figures": [],
    "m0009-backups": [
      "INSERT INTO backups VALUES ('b', 'schedule', 5, 6, NULL, '/backup/one', 100, 10)"
    ],
    "m0010-people": [
      """
      INSERT INTO grant_invitations (patient, invitation, code_index, code_sealed, relationship,
        categories, ends, hands_over, invited_by, created, expires, state, accepted_by, changed)
        VALUES ('p', 'i', x'0d', x'0e', 'family', 'medicines', NULL, 0,
        'ann', 5, 9, 'open', NULL, 5)
      """
    ],
    "m0018-alarms": [
      """
      INSERT INTO occasions VALUES ('p', 'o', 'alarm', 'a', 's', 5, 5, 9, 1, 0, 'done', 2, 6, 'Ann',
        6)
      """,
      "INSERT INTO occasion_answers VALUES ('p', 'o', 2, 'done', 'e', NULL, 6, 'ann', 'Ann')",
      """
      INSERT INTO alarms VALUES ('p', 'a', 'water', 'Water', 480, 127, '2026-03-01', NULL, 'bell',
        10, 30, 1, 1, 5, 3, 1, 5, NULL)
      """,
      "INSERT INTO reminder_choices VALUES ('p', 'bell', 540, NULL, NULL, NULL)",
      "INSERT INTO sounds VALUES ('p', 'mine', 'Mine', 900, x'0d', 5)",
      "INSERT INTO unknown_doses VALUES ('p', 'plan', 1, '0', 'ann', 5)",
    ],
    "m0016-reading": ["INSERT INTO readers VALUES ('timing', 1)"],
    "m0020-watching": [
      """
      INSERT INTO heart_watching (patient, is_on, method, window_from, window_until, is_chosen, plans,
        has_wear, news, checked, next_check, changed)
        VALUES ('p', 1, 'dynamic', 14, 20, 0, '', 1, 1, 5, 9, 5)
      """,
      """
      INSERT INTO heart_boundaries VALUES ('p', 'hb', '2026-03-01', 'provider', 66000, 5000,
        'on-medicine', 61000, 14, 'doctor', 'Doctor', 5)
      """,
      """
      INSERT INTO heart_warnings VALUES ('p', 'hw', 'heart', '2026-03-01', 5, 'dynamic', 1, 71000,
        61000, 66000, 0, NULL, 'no', 6, 'Ann', 'later', 7)
      """,
      "INSERT INTO heart_messages VALUES ('p', 'hm', 'Breathe', 5)",
      "INSERT INTO heart_glances VALUES ('p', 'hg', x'21', 'ann', 5)",
      "INSERT INTO heart_questionnaires VALUES ('p', '2026-02-23', 'hq', '{}', 5)",
    ],
    "m0032-chat": [
      "INSERT INTO chat_conversations VALUES ('p', 'cc', 'bob', 'Bob', 'family', 5, 1, 5)",
      """
      INSERT INTO chat_messages VALUES ('p', 'cc', 1, 'cm', 'ce', 'bob', 'member', 'family', 5, 5,
        x'21', 1, '', '', NULL, 5)
      """,
      "INSERT INTO chat_photos VALUES ('p', 'cm', 1, 1, x'21')",
      "INSERT INTO chat_members VALUES ('p', 'cc', 'ann', 0, NULL, 1, 'r1')",
    ],
    "m0033-communications": [
      "INSERT INTO communications VALUES ('p', 'co', 'completed', 5, 5, 'ann', x'21')"
    ],
    "m0036-dose-approvals": [
      """
      INSERT INTO dose_approvals VALUES ('paracetamol-th-120', 1, 'doctor', 5, 'Doctor', 'c', NULL, NULL)
      """
    ],
    "m0037-feedback": ["INSERT INTO feedback VALUES ('fb', 'ann', x'31', 5, 0, 5)"],
    "m0038-hospitals": [
      """
      INSERT INTO hospital_connections (patient, connection, account, base, label, version, access,
        credentials_sealed, identity, types, person, state, accepts, created, next_at, attempt,
        failures) VALUES ('p', 'h', 'ann', 'https://h', 'H', 'R4', 'token', x'11', 'R4', '', '{}',
        'working', 'ask', 5, 5, 0, 0)
      """,
      "INSERT INTO hospital_marks VALUES ('p', 'h', 'MedicationRequest', 5, NULL, NULL)",
      "INSERT INTO hospital_medicines VALUES ('p', 'h', 'm', '{}', NULL, 5)",
      "INSERT INTO hospital_visits VALUES ('p', x'21', x'22', 'h', 'ann', 9)",
    ],
    "m0039-hospital-outbox": [
      """
      INSERT INTO hospital_outbox (patient, connection, administration, version, state, next_try,
        attempt, tries, changed) VALUES ('p', 'h', 'a', 1, 'waiting', 5, 0, 0, 5)
      """
    ],
    "m0027-simple": ["INSERT INTO simple_views VALUES ('p', 'ann', 5)"],
    "m0028-care-team": [
      """
      INSERT INTO practitioner_profiles VALUES ('doctor', 1, 'Heart', 'Ward 3', '555 0100', 'Mon 9-12',
        'fever', 'CODE', 5)
      """,
      "INSERT INTO care_notes VALUES ('p', 'cn', 'doctor', 'Doctor', x'23', 5)",
      "INSERT INTO prescription_templates VALUES ('doctor', 't', 'Usual', 'name=x', 5)",
    ],
    "m0029-care-panel": [],
    "m0030-messages": [
      "INSERT INTO message_recipients VALUES ('p', 'bob', 'ann', 5, 6, 1, 4, 0, 1)",
      "INSERT INTO message_rules VALUES ('p', 'bob', 'missed', 'now', 3, 7, 600, 6)",
      "INSERT INTO message_looks VALUES ('p', 9)",
      """
      INSERT INTO notices VALUES ('p', 'n', 'bob', 'missed', '2026-03-01', 'plan_1_0', 5, 1, '{}', 'now',
        'told', 5, 's', 6, NULL, NULL, 6)
      """,
      "INSERT INTO message_digests VALUES ('bob', '2026-03-01', 's')",
      "INSERT INTO message_preferences VALUES ('bob', 480, NULL, x'23')",
      "INSERT INTO nudges VALUES ('p', '2026-03-01', 1, 'bob', 'Bob', 'plan', 1, '0', 's2', 5)",
    ],
    "m0031-emergency-card": [
      """
      INSERT INTO emergency_cards (patient, card, secret_hash, secret_sealed, code_sealed,
        shows_code, account, created, expires)
      VALUES ('p', 'c', x'24', x'25', x'26', 1, 'ann', 5, 9)
      """,
      "INSERT INTO emergency_card_openings VALUES ('p', 'o', 'c', 6)",
    ],
    "m0047-shifts": [
      "INSERT INTO dose_shifts VALUES ('p', 'plan', 1, '20260301-1', 5, 'moved', 6, 'ann')",
      "INSERT INTO dose_shift_moves VALUES ('p', 'plan', 1, '20260301-1', 1, '20260301-2', 9, 8, 0)",
    ],
    "m0045-tables": [
      """
      INSERT INTO table_imports (patient, import, file_name, made, account, by_name, keys)
        VALUES ('p', 'i', 'medicines.csv', 5, 'ann', 'Ann', 'urn:regimen:table|0-0-x')
      """
    ],
    "m0044-interactions": [
      """
      INSERT INTO interaction_notes (patient, note, warning, said, account, by_name)
        VALUES ('p', 'n', 'drug|i033||moderate|plan|plan', 5, 'ann', 'Ann')
      """,
      "INSERT INTO stated_conditions VALUES ('p', 'cond:asthma', 5, 'ann', 'Ann')",
      "INSERT INTO ingredient_limits VALUES ('p', 'paracetamol', '4000', 'mg', 24, 5, 'ann', 'Ann')",
    ],
    "m0040-figures": [
      "INSERT INTO figure_months VALUES ('p', 'plan', 24313, x'0101')",
      """
      INSERT INTO report_links VALUES ('p', 'rl', x'23', 'ann', '2026-02-01', '2026-03-01', 'de', 5,
        9, 1, 6)
      """,
    ],
    "m0035-moves": [
      "INSERT INTO dose_moves VALUES ('p', 'plan', 1, '20260301-1', 5, 6, 'ann')"
    ],
    "m0034-cycles": [
      "INSERT INTO plan_cycles VALUES ('p', 'plan', '2026-03-01', 21, 7, NULL)"
    ],
    "m0026-limits": ["INSERT INTO plan_limits VALUES ('p', 'plan', '{}')"],
    "m0021-sources": [
      "INSERT INTO vital_observation_versions VALUES ('p', 'o', 1, '{}', 5)"
    ],
    "m0022-ringing": [
      "UPDATE reminders SET ladder = '0 push acting' WHERE patient = 'p'"
    ],
    "m0023-deletions": ["INSERT INTO heart_unwatched VALUES ('p', 'plan', 5)"],
    "m0024-edge": ["INSERT INTO node_keys VALUES ('n', 'k', 5)"],
    "m0017-accounts": [
      """
      INSERT INTO address_proofs (digest, account, address_sealed, created, expires)
        VALUES (x'1d', 'ann', x'1e', 5, 9)
      """
    ],
    "m0011-care": [
      "INSERT INTO person_photos VALUES ('p', 'f', 2, 2, x'ffd8', 5)",
      "INSERT INTO practitioners VALUES ('doctor', 5, 'eve')",
      """
      INSERT INTO emergencies VALUES ('p', 'e', 'doctor', 'Doctor', 'unconscious', 5, 9, NULL, NULL)
      """,
      "INSERT INTO invitation_mails VALUES ('ann', 'm', 5)",
    ],
    "m0012-doors": [
      "INSERT INTO code_apps VALUES ('ann', x'18', 1, 5)",
      "INSERT INTO recovery_codes VALUES ('ann', x'19', NULL)",
      "INSERT INTO passkeys VALUES (x'1a', 'k', 'ann', x'1b', x'1c', -7, 'localhost', 0, 'Key', 5, 6)",
      "INSERT INTO used_challenges VALUES (x'1d', 9)",
      "INSERT INTO pending_sign_ins VALUES (x'1e', 'ann', 'trusted', 5, 9)",
      "INSERT INTO device_sign_ins VALUES (x'1f', 'ann', x'20', NULL, 'Phone', 7, 'open', 5, 9)",
    ],
    "m0013-edge": [
      "INSERT INTO attempts VALUES (x'10', 3, 5)",
      "INSERT INTO identities VALUES ('id', 'ann', 'city', x'11', x'12', 5, NULL)",
      "INSERT INTO provider_visits VALUES (x'13', x'14', 'city', NULL, '/', 9)",
      "INSERT INTO identity_offers VALUES (x'15', 'ann', 'city', x'16', x'17', 9)",
    ],
    "m0014-channels": [
      "INSERT INTO action_links VALUES ('p', x'0f', 'd', 'ann', 'taken', 'plan_1_0', 9, NULL)",
      "INSERT INTO mailbox_choices VALUES ('ann', x'10', 5)",
      """
      INSERT INTO channel_addresses (address, account, channel, form, host, settings_sealed, created,
        proof_hash, proof_expires, confirmed, gone) VALUES ('c', 'ann', 'ntfy', 'ntfy', 'ntfy.sh', x'11', 5, x'12',
        9, NULL, NULL)
      """,
      "INSERT INTO ladder_rungs VALUES ('p', 0, 0, 'push', '')",
      "INSERT INTO ladder_settings (patient, quiet_from, quiet_until, names_medicine) VALUES ('p', 1320, 420, 0)",
      "INSERT INTO ladder_agreements VALUES ('p', 'bob', 'ann', 5, 6)",
      "INSERT INTO silenced_channels VALUES ('p', 'ann', 'mail')",
      """
      INSERT INTO plan_reminders (patient, plan, is_critical, is_silent)
        VALUES ('p', 'plan', 1, 0)
      """,
    ],
    "m0015-heart": [
      """
      INSERT INTO vital_days (patient, metric, day, source, value, minimum, count, stamp, at,
        zone_offset, changed, observation, samples) VALUES ('p', 'heart-rate', '2026-03-01', 'Watch', 61000, 61000, 1, 5,
        5, 3600, 5, 'o1', x'0f')
      """,
      "INSERT INTO vital_preferences VALUES ('p', 'heart-rate', 'Watch')",
      """
      INSERT INTO vital_observations (patient, observation, metric, day, source, at, body, created)
        VALUES ('p', 'o2', 'heart-rate', '2026-03-01', 'Watch', 5,
        '{}', 5)
      """,
    ],
    "m0019-gateways": [
      "INSERT INTO calendar_feeds VALUES ('p', 'ann', x'21', x'22', 0, 5, NULL)",
      "INSERT INTO ladder_standby VALUES ('p', 'ann', 5)",
    ],
    "m0042-stock": [
      """
      INSERT INTO stocks (patient, stock, medicine_name, unit, form, pack_size, repeats_number,
        is_quiet, counted_at, counted_number, next_check, created, changed)
        VALUES ('p', 'st', 'Metoprolol', 'tablet', 'blister', 30000000, 1, 0, 5, 1, 6, 5, 5)
      """,
      """
      INSERT INTO stock_lots (patient, stock, lot, number, size, expires, is_kept, is_void, added)
        VALUES ('p', 'st', 'lo', 1, 30000000, '2027-01-31', 0, 0, 5)
      """,
      "INSERT INTO stock_uses VALUES ('p', 'plan', 'p', 'st', 5)",
      """
      INSERT INTO stock_entries (patient, entry, owner, stock, number, lot, kind, amount, is_counted,
        at, recorded, account, by_name, act)
        VALUES ('p', 'en', 'p', 'st', 1, 'lo', 'counted', 30000000, 1, 5, 5, 'ann', 'Ann', 'act')
      """,
      "INSERT INTO stock_balances VALUES ('p', 'st', 'lo', 30000000)",
    ],
    "m0052-looks": [
      "INSERT INTO medicine_looks VALUES ('p', 'plan', 'round', 'white', NULL, 1, 'A 1', 5)",
      "INSERT INTO medicine_photos VALUES ('p', 'plan', 1, 'mp', 1, 1, 2, x'21', x'21', 5)",
    ],
    "m0053-left-out-doses": [],
    "m0054-prescription-warnings": [
      """
      INSERT INTO prescription_warnings (patient, proposal, warning, confirmed, account, by_name)
      VALUES ('p', 'pr', 'drug|i058||severe|a|b', 5, 'doctor', 'Dr. Ada')
      """
    ],
    "m0062-link-guards": [
      "UPDATE emergency_cards SET refused = 2, refused_last = 6",
      "UPDATE grants SET narrowed = 5 WHERE account = 'bob'",
    ],
    "m0064-stock-pack-size": [],
    "m0067-audit-content": [],
    "m0068-left-out-extras": [],
    "m0058-shown-names": ["UPDATE plans SET shown_name = 'Metoprolol 50 mg'"],
    "m0059-server-choices": ["INSERT INTO server_choices VALUES ('region', 'no')"],
    "m0056-plan-confirmations": [
      """
      INSERT INTO plan_confirmations VALUES ('p', 'plan', 'too-often-methotrexate', 5, '7',
        'more often', 'ann', 'Ann')
      """
    ],
    "m0048-journeys": [
      "INSERT INTO journey_questions VALUES ('p', 'ann', 'Asia/Bangkok', 5)"
    ],
    "m0049-clock-notices": ["INSERT INTO clock_notices VALUES ('p', 9, 5, 's')"],
    "m0043-stock-notices": [
      "INSERT INTO stock_notices VALUES ('p', 'st', 'run-out', 30, 1, 7, 's')"
    ],
    "m0050-stock-care": [
      "INSERT INTO stock_marks VALUES ('p', 'st', 'low', 7, 1, 9, '2026-03-09', 1)"
    ],
    "m0051-dispenses": [
      """
      INSERT INTO stock_dispenses (patient, dispense, source_key, turn, digest, request_keys,
        ingredients, medicine_name, handed_over, state, is_withdrawn, received)
        VALUES ('p', 'di', 'urn:x|1', 1, 'd', '', 'name:metoprolol', 'Metoprolol', '2026-03-03', 'open',
        0, 8)
      """
    ],
  ]
}
