// SPDX-License-Identifier: Apache-2.0

import Accounts
import Knowledge
import Localization
import Presentation
import TimeZones
import Web

/// The form of the first visit, as typed.
struct WelcomeInput: Sendable {
  var code = ""
  var name = ""
  var email = ""
  var password = ""
  var language: Language
  var zone: String
  /// The chosen country; nil if the form did not ask.
  var country: String? = ""
  var textSize: TextSize

  /// Creates a form filled in from the browser's languages.
  init(call: Call) {
    language = call.language
    let guess = call.browserGuess
    zone = guess.zone(home: call.environment.settings.homeZone)
    country = guess.region?.rawValue ?? ""
    textSize = call.frame().textSize
  }

  init(form: FormBody, call: Call) {
    code = form.text("code") ?? ""
    name = form.text("name") ?? ""
    email = form.text("email") ?? ""
    password = form.raw("password") ?? ""
    language = form.text("language").flatMap(Language.init(rawValue:)) ?? call.language
    zone = form.text("zone") ?? ""
    country = form.raw(EmergencyRegionField.name)
    textSize = TextSizeField.size(in: form) ?? call.frame().textSize
  }

  var region: EmergencyRegion? { country.flatMap(EmergencyRegion.init(rawValue:)) }

  /// A mistake in the form.
  enum Mistake: Sendable, Hashable {
    case code
    case zone
    case country
    case account(AccountError)

    var field: String {
      switch self {
      case .code: "code"
      case .zone: "zone"
      case .country: EmergencyRegionField.name
      case .account(.emailMissing), .account(.emailMalformed), .account(.phoneMalformed): "email"
      case .account(.nameMissing), .account(.nameTooLong): "name"
      case .account: "password"
      }
    }

    func message(_ localizer: Localizer) -> String {
      switch self {
      case .code: localizer.text("welcome.code-wrong")
      case .zone: localizer.text("welcome.zone-unknown")
      case .country: localizer.text("emergency-card.country-choose")
      case .account(.emailMissing), .account(.emailMalformed):
        localizer.text("addresses.wrong")
      case .account(.phoneMalformed): localizer.text("addresses.country")
      case .account(.nameMissing): localizer.text("welcome.name-missing")
      case .account(.nameTooLong(let maximum)):
        localizer.text("welcome.name-too-long", ["maximum": .number(maximum)])
      case .account(let error): PasswordText.message(error, localizer)
      }
    }
  }

  /// The mistakes that can be found before anything is created.
  func errors(zones: ZoneCatalog) -> [Mistake] {
    var mistakes: [Mistake] = []
    if name.isEmpty { mistakes.append(.account(.nameMissing)) }
    if name.count > 100 { mistakes.append(.account(.nameTooLong(maximum: 100))) }
    do throws(AccountError) {
      _ = try SignInName(new: email)
    } catch {
      mistakes.append(.account(error))
    }
    do throws(AccountError) {
      try PasswordRules().check(password, context: [email, name, "regimen"])
    } catch {
      mistakes.append(.account(error))
    }
    if (try? zones.zone(zone)) == nil { mistakes.append(.zone) }
    if country != nil, region == nil { mistakes.append(.country) }
    return mistakes
  }
}
