// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Checks the text of a questionnaire, for people who write one.
package enum QuestionnaireCheck {
  /// Returns each broken rule in a line with its place; none for a questionnaire that can be asked.
  ///
  /// A text that is not JSON has one line with the place of the mistake.
  package static func lines(of bytes: [UInt8]) -> [String] {
    let resource: JSONValue
    do throws(JSONSyntaxError) {
      resource = try JSONValue(parsing: bytes)
    } catch {
      return ["Questionnaire: json: \(error.description)"]
    }
    return QuestionnaireReader.read(resource).findings.map(\.line)
  }
}
