// SPDX-License-Identifier: Apache-2.0

import Channels
import Outbound
import Reminders

/// The reasons that a delivery failed: short codes for the status page and a dose's history.
enum DeliveryTrouble {
  static let address = "address"
  static let refused = "refused"
  static let tooLarge = "too-large"

  static func status(_ code: Int) -> String { "status-\(code)" }

  static func word(_ trouble: PushTrouble) -> String {
    switch trouble {
    case .rateLimited: status(429)
    case .service(let code): status(code)
    case .timeout: "timeout"
    case .connection: "connection"
    case .tls: "tls"
    case .resolution: "resolution"
    case .circuitOpen: "circuit-open"
    case .stopped: "stopped"
    }
  }
}

extension DeliveryTrouble {
  static func word(_ trouble: MailTrouble) -> String {
    switch trouble {
    case .temporary(let status): "exit-\(status)"
    case .timeout: "timeout"
    case .ended(let signal): "signal-\(signal)"
    case .busy: "busy"
    case .system(let code): "system-\(code)"
    }
  }

  static func word(_ refusal: MailRefusal) -> String {
    switch refusal {
    case .status(let status): "exit-\(status)"
    case .notStarted(let code): "not-started-\(code)"
    }
  }
}

extension DeliveryResult.Outcome {
  init(_ outcome: PushOutcome) {
    switch outcome {
    case .accepted: self = .handedOver
    case .gone: self = .gone
    case .tooLarge: self = .failed(trouble: DeliveryTrouble.tooLarge)
    case .retry(let seconds, let trouble):
      self = .retry(afterSeconds: seconds, trouble: DeliveryTrouble.word(trouble))
    case .misconfigured(let status): self = .failed(trouble: DeliveryTrouble.status(status))
    case .refused: self = .failed(trouble: DeliveryTrouble.refused)
    }
  }

  init(_ outcome: MailOutcome) {
    switch outcome {
    case .accepted: self = .handedOver
    case .retry(let trouble):
      self = .retry(afterSeconds: nil, trouble: DeliveryTrouble.word(trouble))
    case .refused(let refusal): self = .failed(trouble: DeliveryTrouble.word(refusal))
    }
  }

  init(_ outcome: ChannelOutcome) {
    switch outcome {
    case .accepted: self = .handedOver
    case .retry(let seconds, let trouble):
      self = .retry(afterSeconds: seconds, trouble: DeliveryTrouble.word(trouble))
    case .misconfigured(let status): self = .failed(trouble: DeliveryTrouble.status(status))
    case .refused: self = .failed(trouble: DeliveryTrouble.refused)
    }
  }

  var isHandedOver: Bool {
    if case .handedOver = self { true } else { false }
  }
}
