// SPDX-License-Identifier: Apache-2.0

import HTML
import Media

/// An address as a picture that the camera of a phone reads.
///
/// Beside it the address has to stand as text. Nothing is drawn for an address that no code takes.
package struct LinkPicture: PagePart {
  let address: String
  /// What the picture is, for those who do not see it.
  let label: String

  package init(_ address: String, label: String) {
    self.address = address
    self.label = label
  }

  package var markup: Markup {
    guard let code = QRCode(address) else { return Markup() }
    let side = code.sideWithQuietZone
    return """
      <svg class="qr-code" viewBox="0 0 \(side) \(side)" role="img" aria-label="\(label)" \
      shape-rendering="crispEdges"><rect width="\(side)" height="\(side)"/>\
      <path d="\(code.svgPath)"/></svg>
      """
  }
}
