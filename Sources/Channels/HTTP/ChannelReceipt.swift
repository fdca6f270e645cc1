// SPDX-License-Identifier: Apache-2.0
import Foundation

extension ChannelRequest.Receipt {
  /// Interprets the body of a 2xx response: some gateways report errors with 200.
  func outcome(_ body: [UInt8]) -> ChannelOutcome {
    switch self {
    case .status: return .accepted
    case .seven:
      guard let answer = try? JSONDecoder().decode(Seven.self, from: Data(body)) else {
        return .misconfigured(status: 200)
      }
      return answer.success.text == "100"
        ? .accepted : .misconfigured(status: Int(answer.success.text) ?? 200)
    case .vonage:
      guard let answer = try? JSONDecoder().decode(Vonage.self, from: Data(body)),
        !answer.messages.isEmpty
      else { return .misconfigured(status: 200) }
      guard let failure = answer.messages.map(\.status.text).first(where: { $0 != "0" }) else {
        return .accepted
      }
      // Throttled, or an error of the service itself.
      if failure == "1" { return .retry(afterSeconds: nil, .rateLimited) }
      if failure == "5" { return .retry(afterSeconds: nil, .service(status: 5)) }
      return .misconfigured(status: Int(failure) ?? 200)
    }
  }

  private struct Seven: Decodable {
    let success: Code
  }

  private struct Vonage: Decodable {
    struct Message: Decodable {
      let status: Code
    }

    let messages: [Message]
  }

  /// A code that is a string or a number.
  private struct Code: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        self.text = text
      } else {
        text = String(try container.decode(Int.self))
      }
    }
  }
}
