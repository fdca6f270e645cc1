// SPDX-License-Identifier: Apache-2.0

import Accounts
import Calendar
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import Plans
import Presentation
import SiteMap
import Storage
import Web

/// A sheet of QR codes to print, one for each sticker.
struct StickerLabelsPage: Sendable {
  let stickers: [Sticker]
  /// The names of the medicines by plan; empty unless they were chosen.
  let medicines: [PlanID: String]
  let namesMedicines: Bool
  let localizer: Localizer

  static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try StickersPage.mayMake(call, patient)
    let isNamed = call.queryValue("names") == "yes"
    let (stickers, names) = try await call.environment.database.read { reader in
      (
        try Stickers.all(of: patient, in: reader),
        isNamed ? try PlanQueries.names(patient: patient, in: reader) : []
      )
    }
    try await call.environment.audit(authorization, count: stickers.count, at: call.now)
    var medicines: [PlanID: String] = [:]
    for entry in names { medicines[entry.plan] = entry.name }
    return StickerLabelsPage(
      stickers: stickers, medicines: medicines, namesMedicines: isNamed, localizer: call.localizer
    ).response(call)
  }

  private func response(_ call: Call) -> Response {
    var frame = call.frame()
    frame.title = localizer.text("stickers.labels-title")
    frame.place = .me
    frame.back = .init(localizer.text("stickers.title"), address: Address.stickers)
    let path = "\(Address.stickers)/labels"
    let other = LinkButton(
      localizer.text(namesMedicines ? "stickers.without-names" : "stickers.with-names"),
      address: namesMedicines ? path : "\(path)?names=yes", icon: .pill)
    let cipher = call.environment.accounts.cipher
    let labels: [Markup] = stickers.map { sticker in
      let secret = Stickers.secret(sticker.id, of: sticker.patient, cipher: cipher)
      let picture = LinkPicture(
        "\(call.baseURL)\(StickerRoutes.path(secret))",
        label: localizer.text("stickers.code", ["name": .text(sticker.name)]))
      let medicine = sticker.plan.flatMap { medicines[$0] }
      return """
        <li class="label">\(picture)<p><strong>\(sticker.name)</strong></p>\
        \(medicine.map { "<p>\($0)</p>" as Markup })</li>
        """
    }
    return call.page(
      frame,
      """
      <div class="stack"><div class="labels-help stack"><p>\(localizer.text("stickers.labels-help"))</p>\
      \(ButtonRow(other.markup))</div>\
      \(if: stickers.isEmpty, "<p>\(localizer.text("stickers.none"))</p>")\
      <ul class="labels" role="list">\(labels)</ul></div>
      """)
  }
}
