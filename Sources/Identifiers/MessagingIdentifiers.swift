// SPDX-License-Identifier: Apache-2.0

/// A conversation between a patient and one account.
package struct ConversationID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// A message of a conversation.
package struct MessageID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// A reminder or an alert, which may cover several doses.
package struct ReminderID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// One attempt to deliver a reminder over one channel.
package struct DeliveryID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// A device that receives push messages.
package struct DeviceID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}

/// A connection to a hospital's FHIR server.
package struct ConnectionID: Identifier {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }
}
