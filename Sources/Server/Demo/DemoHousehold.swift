// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import Localization
import Scheduling
import Storage
import TimeZones

/// Fills an empty installation with invented people and months of history, by the same commands
/// that everybody uses, each given at its own time.
package struct DemoHousehold: Sendable {
  /// How many days of history there are.
  package static let days = 190

  /// With what a person of the demonstration signs in.
  package struct SignIn: Sendable, Hashable {
    package let name: String
    package let email: String
    package let password: String
  }

  /// Known to all: the demonstration is no place for secrets.
  package static let heartPatient = SignIn(
    name: "Margot Winter", email: "margot@demo.example", password: "quiet heart in winter")

  let environment: ServerEnvironment
  let language: Language

  package init(environment: ServerEnvironment, language: Language) {
    self.environment = environment
    self.language = language
  }

  /// Makes the accounts and their history up to now.
  package func furnish(using generator: inout some RandomNumberGenerator & Sendable) async throws {
    let now = environment.now()
    let person = Self.heartPatient
    let zone = try environment.zones.zone(environment.settings.homeZone)
    let today = zone.date(at: Instant(milliseconds: now.milliseconds))
    let begin = Timestamp(
      milliseconds: zone.startOfDay(today.adding(days: -Self.days)).milliseconds)
    let hash = try await environment.signIn.hash(
      newPassword: person.password, rules: PasswordRules(minimum: 8), context: [])
    let account = try await Registration(environment: environment).create(
      email: person.email, displayName: person.name, passwordHash: hash, isAdministrator: true,
      language: language, at: begin, by: "demo")
    var story = DemoStory(
      patient: account.patient, account: account, zone: zone,
      first: today.adding(days: -Self.days), now: now, localizer: Localizer.of(language),
      zones: environment.zones, newIdentifier: environment.newIdentifier)
    for day in 0...Self.days {
      let chances = (0..<DemoStory.chancesPerDay).map { _ in
        Double.random(in: 0..<1, using: &generator)
      }
      story = try await environment.database.write { [story] writer in
        var story = story
        try story.live(day, chances: chances, in: writer)
        return story
      }
    }
  }
}
