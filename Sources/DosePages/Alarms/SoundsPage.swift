// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Localization
import Media
import Reminders
import Web

/// The page on which sounds are played, chosen and uploaded.
struct SoundsPage: Sendable {
  /// A reason that a file was not accepted as a sound.
  enum Mistake: Error, Sendable, Hashable {
    case missing, tooLarge, tooMany, name
    case sound(SoundProblem)

    var field: String { self == .name ? "name" : SoundRoutes.field }

    private var word: String {
      switch self {
      case .missing: "missing"
      case .tooLarge: "too-large"
      case .tooMany: "too-many"
      case .name: "name"
      case .sound(let problem): problem.rawValue
      }
    }

    func message(_ localizer: Localizer) -> String {
      localizer.text(
        "alarms.sound-problem",
        [
          "problem": .text(word), "megabytes": .number(SoundRoutes.maximumFile / 1_048_576),
          "seconds": .number(Sound.longestMilliseconds / 1_000),
          "maximum": .number(OwnSounds.most),
        ])
    }
  }

  let own: [OwnSounds.Stored]
  /// The chosen sound for medicines.
  let chosen: String
  var mistake: Mistake?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("alarms.sounds")
    frame.place = .me
    frame.back = .init(localizer.text("alarms.title"), address: "/alarms")
    frame.hasErrors = mistake != nil
    switch call.queryValue("done") {
    case "saved": frame.flash = FlashBar(localizer.text("alarms.saved"))
    case "removed": frame.flash = FlashBar(localizer.text("alarms.sound-removed"))
    default: break
    }
    let errors = mistake.map { [FieldError(field: $0.field, message: $0.message(localizer))] } ?? []
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\(ErrorSummary(errors, localizer: localizer))\
      \(choice(call))\(brought(call))\(file(call))</div>
      """, status: mistake == nil ? .ok : .unprocessableContent)
  }

  private func choice(_ call: Call) -> Markup {
    let localizer = call.localizer
    let names = Dictionary(own.map { ($0.id, $0.name) }) { first, _ in first }
    return Section(
      localizer.text("alarms.sounds-medicines"), id: "medicines",
      """
      <p>\(localizer.text("alarms.sounds-help"))</p>\
      \(Form(
        action: SoundRoutes.path, token: call.formToken,
        fields: SoundField(
          value: chosen, ownSounds: names, leadsToSounds: false, localizer: localizer
        ).markup,
        buttons: Button(
          localizer.text("alarms.save"), person: call.formToken.personName).markup))
      """
    ).markup
  }

  private func brought(_ call: Call) -> Markup {
    guard !own.isEmpty else { return Markup() }
    let localizer = call.localizer
    return Section(
      localizer.text("alarms.sounds-own"), id: "own",
      """
      \(each: own, { sound in
        """
        <div class="card"><p><strong>\(sound.name)</strong> · \(localizer.text(
          "alarms.seconds", ["seconds": .number((sound.milliseconds + 999) / 1_000)]))</p>\
        \(ButtonRow(FormButton(
          localizer.text("alarms.remove"), action: "\(SoundRoutes.path)/\(sound.id)/remove",
          token: call.formToken, kind: .secondary, object: sound.name).markup))</div>
        """
      })
      """
    ).markup
  }

  private func file(_ call: Call) -> Markup {
    let localizer = call.localizer
    func error(_ field: String) -> String? {
      mistake.flatMap { $0.field == field ? $0.message(localizer) : nil }
    }
    return Section(
      localizer.text("alarms.sounds-bring"), id: "bring",
      Form(
        action: SoundRoutes.filePath, token: call.formToken, holdsFile: true,
        fields: """
          \(FormField(
            "name", label: localizer.text("alarms.sound-name"), error: error("name"),
            maximumLength: OwnSounds.longestName, localizer: localizer))\
          \(FormField(
            SoundRoutes.field, label: localizer.text("alarms.sound-file"),
            kind: .file(types: ".wav,audio/wav,audio/x-wav"),
            hint: localizer.text(
              "alarms.sound-file-hint",
              ["seconds": .number(Sound.longestMilliseconds / 1_000)]),
            error: error(SoundRoutes.field), localizer: localizer))
          """,
        buttons: Button(
          localizer.text("alarms.sounds-bring"), person: call.formToken.personName
        ).markup
      ).markup
    ).markup
  }
}
