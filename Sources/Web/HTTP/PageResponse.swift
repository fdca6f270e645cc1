// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Encodings
import HTML
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import NIOCore
import Storage

/// Answers with pages.
extension Call {
  /// Returns the frame of a page for this request; the page sets its title, its place and the rest.
  package func frame() -> PageFrame {
    let visitor: PageFrame.Visitor
    if let signedIn, session != nil {
      visitor = .signedIn(
        personName: person?.name ?? signedIn.account.displayName,
        accountEmail: signedIn.account.email,
        token: accountToken)
    } else {
      visitor = .signedOut
    }
    var frame = PageFrame(
      localizer: localizer,
      theme: cookie(Preferences.themeCookie).flatMap(Theme.init(rawValue:)) ?? .automatic,
      textSize: cookie(Preferences.textSizeCookie).flatMap { Int($0) }
        .flatMap(TextSize.init(rawValue:)) ?? .normal,
      visitor: visitor, nonce: Base64URL.encode(environment.random(16)),
      path: request.method == .get ? request.uri.string : request.uri.path)
    frame.people = people
    frame.person = person
    frame.chosenPerson = isVisit ? chosenPerson : nil
    frame.role = NavigationRole(
      people: people, person: person,
      isConfirmed: signedIn?.session?.isConfirmedPractitioner ?? false)
    frame.addresses = parts.navigation
    frame.isDemo = environment.settings.isDemo
    if session != nil {
      frame.account = signedIn.map {
        PageFrame.Holder(
          id: $0.account.id.text, name: $0.account.displayName,
          offline: OfflineCopies.mark(of: self), made: now)
      }
      frame.changes = changes.text
    }
    frame.isPlain = !isSecure
    frame.pieces = parts.frame.flatMap { $0.pieces(for: self) }
    return frame
  }

  /// True in a session of a practitioner: confirmed, or with patients.
  package var isPractitioner: Bool {
    let isConfirmed = signedIn?.session?.isConfirmedPractitioner ?? false
    return session != nil && (isConfirmed || PersonSwitcher.hasPatients(people))
  }

  /// The token of forms that act on the person of this page.
  package var formToken: FormToken {
    var token = accountToken
    guard let person else { return token }
    token.mayAct = person.mayAct
    if people.count > 1 {
      token.patient = person.patient
      token.personName = person.calledName
      token.isVisit = isVisit
    }
    return token
  }

  /// The token of forms that act on the account; empty for strangers, whose forms are checked by
  /// their origin.
  package var accountToken: FormToken {
    FormToken(maskedFormToken)
  }

  /// Returns a whole page that is never cached, with the content security policy of all pages.
  ///
  /// A script that posts a form in place shows the returned page itself if something must be asked
  /// or corrected; for it the status is 200, since browsers report any other one as a failed load.
  package func page(
    _ frame: PageFrame, _ content: Markup, status: HTTPResponse.Status = .ok
  ) -> Response {
    let bytes = PageLayout(frame, content).markup.bytes
    var headers: HTTPFields = [
      .contentType: "text/html; charset=utf-8", .cacheControl: "no-store",
      .contentSecurityPolicy: Self.policy(nonce: frame.nonce),
    ]
    if let choiceCookie { headers.append(HTTPField(name: .setCookie, value: choiceCookie)) }
    let isForScript = request.headers[.inPlace] != nil
    let isAsking = status == .conflict || status == .unprocessableContent
    let shown = isForScript && isAsking ? .ok : status
    guard shown == .ok, let packed = PageCompression.packed(bytes, for: self) else {
      return Response(
        status: shown, headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
    headers[.contentEncoding] = "gzip"
    headers[.vary] = "Accept-Encoding, Sec-Fetch-Site"
    return Response(
      status: shown, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: packed)))
  }

  /// Returns the answer after a change: a redirect (303), so that reloading does not post again.
  package func redirect(to path: String, cookies: [String] = []) -> Response {
    var headers: HTTPFields = [.location: visited(path), .cacheControl: "no-store"]
    for cookie in cookies + [choiceCookie].compactMap(\.self) {
      headers.append(HTTPField(name: .setCookie, value: cookie))
    }
    return Response(status: .seeOther, headers: headers)
  }

  private static func policy(nonce: String) -> String {
    """
    default-src 'none'; \
    script-src 'nonce-\(nonce)' 'strict-dynamic' 'wasm-unsafe-eval'; \
    style-src 'nonce-\(nonce)'; connect-src 'self'; img-src 'self' blob:; media-src 'self'; \
    manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types regimen
    """
  }
}

/// Checks the addresses to which a form or a link wants to return.
package enum LocalPath {
  /// The most bytes of a path: as many as an address may have, so that a long request of an app survives signing in.
  package static let longest = 8 * 1024

  /// Returns the path if it belongs to this app, else nil.
  ///
  /// It begins with one slash, has only visible ASCII characters, at most ``longest``, and no browser reads it
  /// as another host.
  package static func checked(_ text: String?) -> String? {
    guard let text, text.utf8.first == UInt8(ascii: "/"), text.utf8.count <= longest,
      !text.hasPrefix("//"), !text.hasPrefix("/\\"),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return text
  }
}
