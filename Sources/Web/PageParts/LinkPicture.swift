// SPDX-License-Identifier: Apache-2.0

import HTML
import Media

/// An address as a QR code for the camera of a phone.
///
/// The address must also be next to it as text. If it is too long for a code, nothing is drawn.
package struct LinkPicture: PagePart {
  let address: String
  /// The description of the picture for screen readers.
  let label: String

  /// Creates the picture.
  ///
  /// - Parameter label: The description of the picture for screen readers.
  package init(_ address: String, label: String) {
    self.address = address
    self.label = label
  }

  /// The QR code as an inline SVG, or nothing.
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
