// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HomeAutomation
import HomeDevices
import Logging
import MQTT
import Presentation
import Storage
import Web

/// Takes the reports that devices in the home send over the broker, as the JSON API takes them over HTTP.
///
/// A report is signed with the device's key, since others can write at a broker too. Its device gets a signed answer;
/// a message without a valid signature gets none, so that nobody learns which devices there are.
struct DeviceMessages: HomeMessageHandler {
  let environment: ServerEnvironment
  /// The beginning of all topics of this server.
  let prefix: String
  /// Publishes an answer if that is possible now; the device sends a report without an answer again.
  let answer: @Sendable (MQTTMessage) -> Void

  var filter: String { DeviceTopics.allEvents(prefix) }

  func take(_ message: MQTTMessage, mayHaveWaited: Bool) async {
    environment.homeMetrics.received(await outcome(of: message, mayHaveWaited: mayHaveWaited))
  }

  /// Processes a message and returns what became of it.
  func outcome(of message: MQTTMessage, mayHaveWaited: Bool) async -> HomeMetrics.Outcome {
    guard !message.isRetained, let topics = DeviceTopics(ofEvents: message.topic, prefix: prefix)
    else { return .refused }
    guard let address = DeviceAddress(text: topics.address) else { return .unsigned }
    let cipher = environment.accounts.cipher
    let known: DeviceSigningKey?
    do {
      // First, so that strangers don't wait for the writer.
      known = try await environment.database.read { reader in
        try address.signingKey(cipher: cipher, in: reader)
      }
    } catch {
      log(error)
      return .failed
    }
    guard let key = known, let signed = key.open(message.payload, topic: message.topic) else {
      return .unsigned
    }
    let (outcome, content) = await judge(signed.body, from: address, mayHaveWaited)
    var object = content
    object["report"] = .string(signed.signature)
    answer(
      MQTTMessage(
        topic: topics.answers,
        payload: key.payload(JSONValue.object(object).bytes, topic: topics.answers),
        isRetained: false))
    return outcome
  }

  /// Takes the report of a signed body, and returns the content of its answer.
  private func judge(
    _ body: [UInt8], from address: DeviceAddress, _ mayHaveWaited: Bool
  ) async -> (HomeMetrics.Outcome, JSONObject) {
    let (accounts, now) = (environment.accounts, environment.now())
    var content = JSONObject()
    do {
      var report = try DeviceReportReading.report(JSONBody(parsing: body))
      report.way = .broker(mayHaveWaited: mayHaveWaited)
      let taken = try await environment.take(report, at: now) { reader in
        try DeviceCaller.find(signedAt: address, accounts: accounts, at: now, in: reader)
      }
      guard let results = taken else { throw Failure.signInNeeded }
      content["results"] = DeviceReportReading.json(results)
      return (.reported, content)
    } catch {
      guard let failure = Failure(mapping: error) else {
        log(error)
        content["problem"] = Self.problem(Self.unknown)
        return (.failed, content)
      }
      content["problem"] = Self.problem(failure)
      if failure.status == .tooManyRequests { return (.throttled, content) }
      return (failure.status.code >= 500 ? .failed : .refused, content)
    }
  }

  /// Logs an error by its type, without what the device sent.
  private func log(_ error: any Error) {
    environment.logger.error(
      "a device's report over MQTT was not processed",
      metadata: ["type": .string("\(type(of: error))")])
  }

  private static let unknown = Failure(
    .internalServerError, code: "exception",
    detail: "Something went wrong on this server. Nothing was saved. Try again.")

  /// Returns the members of a problem that a device needs, the time to wait among them.
  private static func problem(_ failure: Failure) -> JSONValue {
    var problem = JSONObject()
    problem["status"] = .number(JSONNumber(Int(failure.status.code)))
    problem["code"] = .string(failure.code)
    problem["detail"] = .string(failure.detail)
    problem["retryAfter"] = failure.headers[.retryAfter].flatMap { Int($0) }
      .map { .number(JSONNumber($0)) }
    return .object(problem)
  }
}
