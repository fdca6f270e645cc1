// SPDX-License-Identifier: Apache-2.0

import Encodings

/// A column with encrypted fields, and the context that each of its rows is bound to.
///
/// Add every new encrypted column to ``all``; otherwise a key rotation would skip it. The command notices
/// that and keeps the old key, and a test fails.
struct SealedColumn: Sendable {
  let table: String
  /// The column that identifies the row.
  let key: String
  let column: String
  let context: @Sendable (_ key: SQLValue) -> String

  static let all: [SealedColumn] = [
    SealedColumn("accounts", key: "account", "email_sealed") { "accounts:email:\($0)" },
    SealedColumn("app_keys", key: "app_key", "private_sealed") { "app_keys:\($0):private" },
    SealedColumn("address_proofs", key: "digest", "address_sealed") {
      "address_proofs:\($0):address"
    },
    SealedColumn("grant_invitations", key: "invitation", "code_sealed") {
      "grant_invitations:code:\($0)"
    },
    SealedColumn("care_notes", key: "note", "text_sealed") { "care_notes:\($0):text" },
    SealedColumn("push_subscriptions", key: "subscription", "endpoint_sealed") {
      "push_subscriptions:\($0):endpoint"
    },
    SealedColumn("push_subscriptions", key: "subscription", "keys_sealed") {
      "push_subscriptions:\($0):keys"
    },
    SealedColumn("reply_texts", key: "reply_text", "text_sealed") { "reply_texts:\($0):text" },
    SealedColumn("secrets", key: "name", "sealed") { "secrets:\($0)" },
    SealedColumn("code_apps", key: "account", "seed_sealed") { "code_apps:\($0):seed" },
    SealedColumn("device_sign_ins", key: "digest", "secret_sealed") {
      "device_sign_ins:\($0):secret"
    },
    SealedColumn("calendar_feeds", key: "secret_hash", "secret_sealed") {
      "calendar_feeds:\($0):secret"
    },
    SealedColumn("channel_addresses", key: "address", "settings_sealed") {
      "channel_addresses:\($0):settings"
    },
    SealedColumn("feedback", key: "feedback", "text_sealed") { "feedback:\($0):text" },
    SealedColumn("identities", key: "identity", "label_sealed") {
      "identities:\($0):label_sealed"
    },
    SealedColumn("hospital_connections", key: "connection", "credentials_sealed") {
      "hospital_connections:\($0):credentials"
    },
    SealedColumn("identity_offers", key: "ticket", "label_sealed") {
      "identity_offers:\($0):label_sealed"
    },
    SealedColumn("message_preferences", key: "account", "phone_sealed") {
      "message_preferences:\($0):phone"
    },
    SealedColumn("emergency_cards", key: "card", "secret_sealed") {
      "emergency_cards:\($0):secret"
    },
    SealedColumn("emergency_cards", key: "card", "code_sealed") { "emergency_cards:\($0):code" },
    SealedColumn("chat_messages", key: "message", "body_sealed") { "chat_messages:\($0):body" },
    SealedColumn("chat_photos", key: "message", "bytes_sealed") { "chat_photos:\($0):bytes" },
    SealedColumn("diary_photos", key: "photo", "bytes_sealed") { "diary_photos:\($0):bytes" },
    SealedColumn("medicine_photos", key: "photo", "large_sealed") {
      "medicine_photos:\($0):large"
    },
    SealedColumn("medicine_photos", key: "photo", "small_sealed") {
      "medicine_photos:\($0):small"
    },
    SealedColumn("communications", key: "communication", "body_sealed") {
      "communications:\($0):body"
    },
    SealedColumn("export_jobs", key: "job", "content_sealed") { "export_jobs:\($0):content" },
    SealedColumn("fhir_subscriptions", key: "subscription", "body_sealed") {
      "fhir_subscriptions:\($0):body"
    },
    SealedColumn("fhir_subscriptions", key: "subscription", "secret_sealed") {
      "fhir_subscriptions:\($0):secret"
    },
  ]

  private init(
    _ table: String, key: String, _ column: String,
    context: @escaping @Sendable (_ name: String) -> String
  ) {
    self.table = table
    self.key = key
    self.column = column
    self.context = { context($0.name) }
  }
}

extension SQLValue {
  /// Returns the key as used in contexts: its text, or its bytes in hexadecimal.
  fileprivate var name: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .blob(let bytes): Hexadecimal.encode(bytes)
    case .null, .real: ""
    }
  }
}
