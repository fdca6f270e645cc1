// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import NIOCore

@testable import Web

extension Browser {
  /// Posts a form in which names may repeat.
  func submitForm(
    _ address: String, _ fields: [(String, String)]
  ) async throws -> TestResponse {
    let body = (fields + [(ForgeryGuard.field, formToken)])
      .map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }.joined(separator: "&")
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await harness.client.executeRequest(
      uri: address, method: .post, headers: headers, body: ByteBuffer(string: body))
  }
}
