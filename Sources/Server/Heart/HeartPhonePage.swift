// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization

/// How a phone sends its values by itself, with the person's own address and token.
struct HeartPhonePage: Sendable {
  let patient: String
  /// The token just made; it is shown this once.
  let token: String?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("heart.phone.title")
    frame.lead = localizer.text("heart.phone.lead")
    frame.place = .history
    frame.back = PageFrame.BackLink(localizer.text("heart.title"), address: HeartRoutes.path)
    let address = "\(call.baseURL)\(VitalsAPI.path)?patient=\(patient)"
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(Section(localizer.text("heart.phone.yours"), """
        <p>\(localizer.text("heart.phone.address"))</p><p><code class="heart-secret">\(address)</code></p>\
        \(tokenPart(call))
        """))\
      \(Section(localizer.text("heart.phone.iphone"), """
        <ol class="steps">\(each: Array(1...8), { step in
          "<li>\(localizer.text("heart.phone.step", ["step": .text("s\(step)")]))</li>"
        })</ol><p>\(localizer.text("heart.phone.locked"))</p>
        """))\
      \(Section(localizer.text("heart.phone.apps"), """
        <p>\(localizer.text("heart.phone.apps-help"))</p>
        """))</div>
      """)
  }

  private func tokenPart(_ call: Call) -> Markup {
    let localizer = call.localizer
    if let token {
      let header: String = "Bearer \(token)"
      return """
        <p>\(localizer.text("heart.phone.token"))</p>\
        <p><code class="heart-secret">\(header)</code></p>\
        \(Notice(.warning, title: localizer.text("heart.phone.once")))
        """
    }
    return """
      <p>\(localizer.text("heart.phone.no-token"))</p>\
      \(FormButton(
        localizer.text("heart.phone.make"), action: HeartRoutes.phonePath, token: call.formToken,
        kind: .secondary, icon: .lock))
      """
  }
}
