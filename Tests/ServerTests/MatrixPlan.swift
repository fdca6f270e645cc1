// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Encodings
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Records
import Scheduling
import SiteMap
import Storage
import Testing
import TestSupport

@testable import DosePages
@testable import FHIRAPI
@testable import Web

/// A plan of one person, with the addresses and bodies that the access matrix requests.
struct MatrixPlan: Sendable {
  static let secretName = "Unmistakablol"

  let account: Account
  let plan: PlanID
  let dose: String
  let administration: AdministrationID
  let proposal: ProposalID
  let upload: String
  /// A device, its test, and the reminder of that test.
  let subscription: String
  let delivery: DeliveryID
  let subject: String
  /// An invitation to see the owner's data, which no one has accepted.
  let invitation: String
  /// The id of the owner's session, and a passkey.
  let session: String
  let passkey: String
  /// A device that the owner signs in.
  let link: String
  let allergy: String
  let weight: String
  /// An alarm of the owner's, with the secret as its name.
  let alarm: String
  /// An ntfy topic for the owner's reminders.
  let channel: String
  /// A conversation of the owner's with a doctor, and a message in it with the secret.
  let conversation: ConversationID
  let message: String
  /// A supply of the owner's, with the secret as its name.
  let stock: StockID
  let dispense: String

  /// Creates a plan with one dose in an hour, one entry, and a tested device.
  static func make(_ harness: ServerHarness, of account: Account) async throws -> MatrixPlan {
    let token = try await harness.token(of: account)
    let created = try await harness.send(
      .post, "/fhir/MedicationRequest", token, json: resource(of: account, id: nil))
    #expect(created.status == .created, "\(created.text)")
    let plan = PlanID(try #require(try created.json()["id"]?.string))
    let listed = try await harness.send(
      .get, "/api/v1/doses?from=2026-03-01T00:00:00Z&to=2026-03-03T00:00:00Z", token)
    let dose = try #require(try listed.json()["doses"]?[0]?["id"]?.string, "\(listed.text)")
    let entry = try await harness.send(
      .post, "/api/v1/administrations", token,
      json: [
        "medicine": .string("\(secretName) free"), "at": "2026-03-01T06:00:00Z", "taken": true,
      ])
    let administration = AdministrationID(
      try #require(try entry.json()["id"]?.string, "\(entry.text)"))
    let device = try await harness.send(
      .post, "/api/v1/push-subscriptions", token, json: Person.subscription("matrix"))
    let subscription = try #require(try device.json()["id"]?.string, "\(device.text)")
    let test = try await harness.send(
      .post, "/api/v1/push-subscriptions/\(subscription)/test", token, json: [:])
    let delivery = DeliveryID(
      try #require(try test.json()["delivery"]?.string, "\(test.text)"))
    await harness.ring()
    let push = try #require(harness.outbox.pushes.last)
    let waiting = try await waiting(harness, of: account)
    let invitation = try await invite(harness, of: account)
    let session = try await harness.session(of: account)
    let passkey = try await makePasskey(harness, of: account)
    let link = try await letIn(harness, of: account)
    let (allergy, weight) = try await care(harness, of: account)
    try await watch(harness, of: account)
    try await look(harness, of: account, plan: plan)
    try await beginDraft(harness, of: account)
    let alarm = try await harness.send(
      .post, "/api/v1/alarms", token, json: ["time": "08:30", "label": .string(secretName)])
    let alarmID = try #require(try alarm.json()["id"]?.string, "\(alarm.text)")
    try await addHomeDevice(harness, of: account, named: homeDevice(account))
    let channel = try await topic(harness, of: account)
    let (conversation, message) = try await chat(harness, of: account)
    return MatrixPlan(
      account: account, plan: plan, dose: dose, administration: administration,
      proposal: waiting.proposal, upload: waiting.upload,
      subscription: subscription, delivery: delivery,
      subject: try #require(push.payload["subject"]?.string), invitation: invitation,
      session: Hexadecimal.encode(session.secret.digest), passkey: passkey, link: link,
      allergy: allergy, weight: weight, alarm: alarmID, channel: channel,
      conversation: conversation, message: message,
      stock: try await stock(harness, of: account, plan: plan),
      dispense: try await dispense(harness, of: account))
  }

  static func resource(of account: Account, id: String?) -> JSONValue {
    var resource: JSONValue = [
      "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
      "medicationCodeableConcept": ["text": .string(secretName)],
      "subject": ["reference": .string("Patient/\(account.patient)")],
      "dosageInstruction": [
        [
          "timing": [
            "repeat": [
              "frequency": 1, "period": 1, "periodUnit": "d", "timeOfDay": ["08:00:00"],
            ]
          ],
          "doseAndRate": [["doseQuantity": ["value": 1, "unit": "tablet"]]],
        ]
      ],
    ]
    resource["id"] = id.map(JSONValue.string)
    return resource
  }

  /// Returns the route's pattern with this plan's ids in it.
  func address(of route: Route) -> String {
    var path = route.path
    let isAdministration = path.contains("MedicationAdministration")
    let isPatient = path.hasPrefix("/fhir/Patient")
    let isMirrored = FHIRType.mirrored.contains { path.hasPrefix("/fhir/\($0.rawValue)/") }
    let isChat = path.hasPrefix("/chat") || path.contains("/conversations/")
    if isChat { path = path.replacing(":message", with: message) }
    let other =
      path.contains("Communication")
      ? message
      : path.contains("MedicationDispense")
        ? dispense
        : path.contains("AllergyIntolerance")
          ? allergy : path.contains("Observation") ? weight : plan.text
    path = path.replacing(":plan", with: plan.text).replacing(":dose", with: dose)
      .replacing(":version", with: "1").replacing(":conversation", with: conversation.text)
      .replacing(":secret", with: "rgi_nonsense")
      .replacing(":link", with: path.hasPrefix("/off") ? "rgm_nonsense" : "rga_nonsense")
      .replacing(":address", with: channel).replacing(":form", with: "webhook")
      .replacing(":administration", with: administration.text)
      .replacing(":proposal", with: proposal.text).replacing(":upload", with: upload)
      .replacing(":subscription", with: subscription).replacing(":delivery", with: delivery.text)
      .replacing(":alarm", with: alarm).replacing(":sound", with: "a-sound")
      .replacing(":occasion", with: "an-occasion")
      .replacing(":device", with: Self.homeDevice(account).text)
      .replacing(":stock", with: stock.text).replacing(":tracker", with: "a-tracker")
      .replacing(":study", with: Self.study.text).replacing(":file", with: "doses.csv")
      .replacing(":place", with: "1").replacing(":photo", with: Self.photo)
      .replacing(":subject", with: subject).replacing(":invitation", with: invitation)
      .replacing(":token", with: String(repeating: "0", count: 64))
      .replacing(":service", with: "regimen-order-sign")
      .replacing(":session", with: session).replacing(":passkey", with: passkey)
      .replacing(":identity", with: "an-identity").replacing(":provider", with: "nowhere")
      .replacing(":hospital", with: "a-hospital").replacing(":job", with: "a-job")
      .replacing(":warning", with: Self.warning(account)).replacing(":link", with: link)
      .replacing(":message", with: "a-message").replacing(":glance", with: "a-glance")
      .replacing(":widget", with: "a-widget").replacing(":sticker", with: "a-sticker")
      .replacing(":entry", with: "an-entry")
      .replacing(":questionnaire", with: "adherence")
      .replacing(":notice", with: "a-notice").replacing(":card", with: "a-card")
      .replacing(":account", with: account.id.text).replacing(":code", with: "K7QM-2XPA-9RTD")
      .replacing(
        ":id",
        with: isPatient || isMirrored
          ? account.patient.text : isAdministration ? administration.text : other
      )
      .replacing(":note", with: "a-note").replacing(":template", with: "a-template")
      .replacing(":draft", with: Self.draft).replacing(":practitioner", with: account.id.text)
      .replacing(":allergy", with: allergy).replacing(":weight", with: weight)
      .replacing(":table", with: path.hasPrefix("/import") ? "a-table" : "paracetamol-uk-120")
      .replacing(":topic", with: "fever").replacing(":medicine", with: "m001")
      .replacing(":patient", with: account.patient.text).replacing(":emergency", with: "a-look")
    let isRemoval = route.method == .delete && path.hasPrefix("/api/v1/alarms/")
    let isHomeDevice =
      path.hasPrefix("/api/v1/home-devices/") && (route.method == .get || route.method == .delete)
    if isRemoval || isHomeDevice || MatrixAddresses.byPatient.contains(path) {
      path += "?patient=\(account.patient)"
    }
    if path == "/api/v1/doses" || path == "/api/v1/deliveries" || path == "/api/v1/audit" {
      path += "?patient=\(account.patient)&from=2026-03-01T00:00:00Z&to=2026-03-03T00:00:00Z"
    }
    return path
  }

  func body(of route: Route) -> JSONValue {
    if let body = fhirBody(of: route) ?? questionnaireBody(of: route) { return body }
    return switch route.path {
    case "/api/v1/administrations":
      [
        "patient": .string(account.patient), "medicine": .string(plan),
        "at": "2026-03-01T05:00:00Z", "taken": true, "confirm": true,
      ]
    case "/api/v1/push-subscriptions": Person.subscription("of-the-one-who-asks")
    case "/api/v1/vitals":
      [
        "patient": .string(account.patient),
        "readings": [
          [
            "type": "weight", "at": "2026-02-28T07:00:00Z", "value": 74,
            "source": .string(Self.secretName),
          ]
        ],
      ]
    case let path where path.hasPrefix("/fhir/Patient/:id/$"): ["resourceType": "Parameters"]
    case "/api/v1/doses/:dose/replan": ["decision": "left"]
    case "/cds-services/:service":
      [
        "hook": "order-sign", "hookInstance": "7bd0f1c7-4a6e-4e0c-9a3b-0f2f1d8c2a11",
        "context": [
          "userId": "Practitioner/p1", "patientId": .string(account.patient.text),
          "draftOrders": [
            "resourceType": "Bundle",
            "entry": [
              [
                "resource": [
                  "resourceType": "MedicationRequest", "status": "draft", "intent": "order",
                  "medicationCodeableConcept": ["text": "Testolol"],
                ]
              ]
            ],
          ],
        ],
      ]
    case "/api/v1/voice": ["intent": "take"]
    case "/api/v1/diary/entries":
      ["patient": .string(account.patient), "tracker": "mood", "value": 5]
    case "/api/v1/imports": Self.resource(of: account, id: "imported")
    case let path where path.hasPrefix("/api/v1/alarms"):
      ["patient": .string(account.patient), "time": "09:00", "kind": "water", "action": "done"]
    case let path where path.hasPrefix("/api/v1/home-devices"):
      [
        "patient": .string(account.patient), "kind": "button", "name": "A button",
        "events": [["sequence": 1, "event": "opened"]],
      ]
    case let path where path.hasPrefix("/api/v1/proposals"):
      ["patient": .string(account.patient)]
    case let path where path.hasPrefix("/api/v1/follow-ups") || path.hasPrefix("/api/v1/sites"):
      ["patient": .string(account.patient), "answer": "much", "site": "arm-left"]
    default: ["action": "taken", "confirm": true]
    }
  }

  /// Returns the form of a search for the owner's resources, or for the owner.
  func form(of route: Route) -> [(String, String)] {
    let type = route.path.split(separator: "/").dropLast().last.map(String.init) ?? ""
    guard let served = FHIRType(rawValue: type), served != .patient else {
      return [("_id", account.patient.text)]
    }
    return served.ownerParameters.contains("patient") ? [("patient", account.patient.text)] : []
  }

  /// Returns true if the route's address or body names something of the plan's owner.
  func isAboutPlan(_ route: Route) -> Bool {
    route.audience == .signedIn && route.path != "/join/:code"
      && route.path != ChannelPage.pattern
      // Information about illnesses and medicines is the same for everyone.
      && !route.path.hasPrefix(Address.knowledge)
      // Everyone can read about a study and join it.
      && !["\(Address.studies)/:study", "\(Address.studies)/:study/join"].contains(route.path)
      // A search for a person who is not in reach finds nothing.
      && !route.onlyReads
      && !Self.namesNoPatient(route)
      && (route.path.contains(":") || MatrixAddresses.lists.contains(route.path)
        || (route.method == .post && route.surface != .page
          && route.path != "/api/v1/push-subscriptions"))
  }

  /// Returns everything of the owner that a stranger might have changed.
  func fingerprint(_ harness: ServerHarness) async throws -> [String] {
    let patient = account.patient
    let owner = account.id
    return try await harness.environment.database.read { reader in
      let versions = try reader.query(
        "SELECT id, version, body FROM resources WHERE patient = $1 ORDER BY type, id",
        [SQLValue(patient)])
      let answers = try reader.query(
        "SELECT answer FROM answers WHERE patient = $1 ORDER BY answer", [SQLValue(patient)])
      let devices = try reader.query(
        """
        SELECT subscription, COALESCE(confirmed, 0), COALESCE(last_shown, 0), COALESCE(gone, 0)
        FROM push_subscriptions WHERE account = $1 ORDER BY subscription
        """, [SQLValue(owner)])
      let channels = try reader.query(
        """
        SELECT address, COALESCE(confirmed, 0), COALESCE(gone, 0) FROM channel_addresses
        WHERE account = $1 ORDER BY address
        """, [SQLValue(owner)])
      let deliveries = try reader.query(
        """
        SELECT delivery, COALESCE(shown, 0) FROM deliveries WHERE patient = $1
        ORDER BY delivery
        """, [SQLValue(patient)])
      let alarms = try reader.query(
        "SELECT alarm, version FROM alarms WHERE patient = $1 ORDER BY alarm", [SQLValue(patient)])
      let messages = try reader.query(
        "SELECT message, COALESCE(withdrawn, 0) FROM chat_messages WHERE patient = $1 ORDER BY 1",
        [SQLValue(patient)])
      let communications = try reader.query(
        "SELECT communication FROM communications WHERE patient = $1 ORDER BY 1",
        [SQLValue(patient)])
      let proposals = try reader.query(
        "SELECT proposal, state FROM proposals WHERE patient = $1 ORDER BY proposal",
        [SQLValue(patient)])
      let grants = try reader.query(
        """
        SELECT account, relationship, categories, COALESCE(ends, 0) FROM grants
        WHERE patient = $1 ORDER BY account, relationship
        """, [SQLValue(patient)])
      let invitations = try reader.query(
        "SELECT invitation, state FROM grant_invitations WHERE patient = $1 ORDER BY invitation",
        [SQLValue(patient)])
      let passkeys = try reader.query(
        """
        SELECT name, (SELECT COUNT(*) FROM sessions s WHERE s.account = p.account)
        FROM passkeys p WHERE account = $1
        """, [SQLValue(owner)])
      let vitals = try reader.query(
        "SELECT metric, day, source FROM vital_days WHERE patient = $1 ORDER BY 1, 2, 3",
        [SQLValue(patient)])
      let monitoring = try reader.query(
        """
        SELECT 'warning', warning, COALESCE(answer, '') FROM heart_rate_warnings WHERE patient = $1
        UNION ALL SELECT 'message', message, words FROM heart_rate_messages WHERE patient = $1
        UNION ALL SELECT 'glance', glance, '' FROM heart_rate_glances WHERE patient = $1
        UNION ALL SELECT 'widget', address, account FROM widget_addresses
          WHERE patient = $1 AND account = $2
        UNION ALL SELECT 'sticker', sticker, name FROM stickers WHERE patient = $1
        UNION ALL SELECT 'limit', boundary, owner FROM heart_rate_boundaries WHERE patient = $1
        UNION ALL SELECT 'settings', method, '' FROM heart_rate_monitoring WHERE patient = $1
        UNION ALL SELECT 'week', week, '' FROM heart_rate_questionnaires WHERE patient = $1
        UNION ALL SELECT 'told', account, '' FROM message_recipients WHERE patient = $1
        UNION ALL SELECT 'rule', topic, way FROM message_rules WHERE patient = $1
        UNION ALL SELECT 'nudge', subject, account FROM nudges WHERE patient = $1
        UNION ALL SELECT 'card', card, account FROM emergency_cards WHERE patient = $1
        UNION ALL SELECT 'opening', opening, card FROM emergency_card_openings WHERE patient = $1
        ORDER BY 1, 2
        """, [SQLValue(patient), SQLValue(owner)])
      let care = try reader.query(
        """
        SELECT note, account FROM care_notes WHERE patient = $1
        UNION ALL SELECT template, account FROM prescription_templates WHERE account = $2
        UNION ALL SELECT draft, account FROM medicine_drafts WHERE patient = $1
        UNION ALL SELECT code, account FROM practitioner_profiles WHERE account = $2
        ORDER BY 1
        """, [SQLValue(patient), SQLValue(owner)])
      let known = try reader.query(
        """
        SELECT 'note', note, COALESCE(taken_back_by, '') FROM interaction_notes WHERE patient = $1
        UNION ALL SELECT 'condition', condition, '' FROM stated_conditions WHERE patient = $1
        UNION ALL SELECT 'limit', ingredient, value FROM ingredient_limits WHERE patient = $1
        UNION ALL SELECT 'device', device, name FROM home_devices
          WHERE patient = $1 AND revoked IS NULL
        UNION ALL SELECT 'table', import, COALESCE(taken_back_account, '') FROM table_imports
          WHERE patient = $1
        ORDER BY 1, 2
        """, [SQLValue(patient)])
      let stocks = try reader.query(
        """
        SELECT stock, changed FROM stocks WHERE patient = $1
        UNION ALL SELECT entry, number FROM stock_entries WHERE patient = $1
        UNION ALL SELECT photo, place FROM medicine_photos WHERE patient = $1
        UNION ALL SELECT shape, changed FROM medicine_appearances WHERE patient = $1
        UNION ALL SELECT dispense, received FROM stock_dispenses WHERE patient = $1 ORDER BY 1
        """, [SQLValue(patient)])
      let people = try reader.query(
        "SELECT display_name, label, nickname, colour FROM people WHERE patient = $1",
        [SQLValue(patient)])
      return try versions.map { try "\($0.text(0)) \($0.integer(1)) \($0.text(2))" }
        + proposals.map { try "\($0.text(0)) \($0.text(1))" }
        + answers.map { try $0.text(0) } + communications.map { try $0.text(0) }
        + messages.map { try "\($0.text(0)) \($0.integer(1))" }
        + alarms.map { try "\($0.text(0)) \($0.integer(1))" }
        + devices.map { try "\($0.text(0)) \($0.integer(1)) \($0.integer(2)) \($0.integer(3))" }
        + channels.map { try "\($0.text(0)) \($0.integer(1)) \($0.integer(2))" }
        + deliveries.map { try "\($0.text(0)) \($0.integer(1))" }
        + grants.map { try "\($0.text(0)) \($0.text(1)) \($0.text(2)) \($0.integer(3))" }
        + invitations.map { try "\($0.text(0)) \($0.text(1))" }
        + passkeys.map { try "\($0.text(0)) \($0.integer(1))" }
        + vitals.map { try "\($0.text(0)) \($0.text(1)) \($0.text(2))" }
        + known.map { try "\($0.text(0)) \($0.text(1)) \($0.text(2))" }
        + monitoring.map { try "\($0.text(0)) \($0.text(1)) \($0.text(2))" }
        + care.map { try "\($0.text(0)) \($0.text(1))" }
        + stocks.map { try "\($0.text(0)) \($0.integer(1))" }
        + people.map { try "\($0.text(0)) \($0.text(1)) \($0.text(2)) \($0.text(3))" }
    }
  }
}
