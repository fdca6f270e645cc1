// SPDX-License-Identifier: Apache-2.0

/// A conversation between a patient and one account.
package struct ConversationID: Identifier {
  /// The identifier of the conversation.
  package let text: String

  /// Creates the identifier of a conversation from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A message of a conversation.
package struct MessageID: Identifier {
  /// The identifier of the message.
  package let text: String

  /// Creates the identifier of a message from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A reminder or an alert, which may cover several doses.
package struct ReminderID: Identifier {
  /// The identifier of the reminder or alert.
  package let text: String

  /// Creates the identifier of a reminder or alert from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// One attempt to deliver a reminder over one channel.
package struct DeliveryID: Identifier {
  /// The identifier of the delivery.
  package let text: String

  /// Creates the identifier of a delivery from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A device that receives push messages.
package struct DeviceID: Identifier {
  /// The identifier of the device.
  package let text: String

  /// Creates the identifier of a device from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A connection to a hospital's FHIR server.
package struct ConnectionID: Identifier {
  /// The identifier of the connection.
  package let text: String

  /// Creates the identifier of a connection from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// An alert, identified by its subject, so that it is opened once.
package struct AlertID: Identifier {
  /// The identifier of the alert.
  package let text: String

  /// Creates the identifier of an alert from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}

/// A FHIR Subscription, by which a program is notified of events.
package struct EventSubscriptionID: Identifier {
  /// The logical id of the resource.
  package let text: String

  /// Creates the identifier of a subscription from its text, unchecked.
  package init(_ text: String) {
    self.text = text
  }
}
