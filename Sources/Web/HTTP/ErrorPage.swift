// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Localization

/// The page for a failure: plain words and a next step.
enum ErrorPage {
  static func response(_ failure: Failure, call: Call) -> Response {
    let localizer = call.localizer
    let kind = kind(of: failure)
    var frame = call.frame()
    frame.title = localizer.text("errors.title", ["kind": .text(kind)])
    let content: Markup = """
      <div class="narrow stack">\
      \(Notice(
        failure.status.code >= 500 ? .error : .warning,
        title: localizer.text("errors.what", ["kind": .text(kind)]),
        "<p>\(localizer.text("errors.next", ["kind": .text(kind)]))</p>"))\
      \(LinkButton(localizer.text("errors.to-today"), address: "/", kind: .primary, icon: .sun))\
      <p class="muted small">\(localizer.text("errors.code", ["code": .text(String(failure.status.code))]))</p>\
      \(if: failure.status.code >= 500, reference(of: call))</div>
      """
    var response = call.page(frame, content, status: failure.status)
    for field in failure.headers { response.headers.append(field) }
    return response
  }

  /// Returns the request's identifier, which leads the operator to the cause in the log.
  private static func reference(of call: Call) -> Markup {
    let text = call.localizer.text(
      "errors.reference", ["reference": .text(call.context.reference)])
    return "<p class=\"muted small\">\(text)</p>"
  }

  /// Returns the group of a status, since there are only a few texts; programs use the status.
  private static func kind(of failure: Failure) -> String {
    if failure.code == "forgery" { return "forgery" }
    if failure.code == "wrong-person" { return "person" }
    if failure.code == Failure.damageCode { return "damaged" }
    switch failure.status.code {
    case 401, 403: return "forbidden"
    case 404, 405, 410: return "not-found"
    case 408, 413, 414, 415, 421, 400, 422: return "request"
    case 409, 412: return "conflict"
    case 429: return "busy"
    case 507: return "full"
    default: return "server"
    }
  }
}
