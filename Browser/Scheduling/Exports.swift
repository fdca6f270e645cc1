// SPDX-License-Identifier: Apache-2.0

/// Answers a question in JSON as `regimen schedule` does:
/// `{"timing"|"rule","tz","zone","start","end","anchor"?,"events"?}` gives `{"instants":[...],"moved":[...]}` or
/// `{"error":"..."}`.
///
/// `zone` is the zone as the server wrote it for the page. `moved` lists the indices of the instants that a clock
/// change moved away from their written time. The answer begins with its length as four bytes. An instance answers
/// one question and is then discarded, so it frees no memory.
@_expose(wasm, "answer")
@_cdecl("answer")
func answer(_ question: UnsafePointer<UInt8>, _ length: Int32) -> UnsafeMutablePointer<UInt8> {
  var output: [UInt8] = []
  do throws(TimingError) {
    let bytes = UnsafeBufferPointer(start: question, count: Int(length))
    guard let node = QuestionText.node(bytes) else {
      throw TimingError("question", .malformed("JSON"))
    }
    let zone = try Zone(question: node["zone"] ?? .null)
    let question = try ScheduleQuestion(
      node, zones: { _ in zone },
      choosing: { (reader, _) throws(TimingError) in
        if reader.has("settings") { throw reader.error("settings", .unknownElement) }
        return TimingChoices()
      },
      reading: { (reader, place) throws(TimingError) in
        try ScheduleQuestion.rules(ofRule: reader, place)
      })
    append(try question.answer().wholeSeconds.occurrences, in: zone, to: &output)
  } catch {
    append("{\"error\":\"", to: &output)
    appendEscaped(error.text, to: &output)
    append("\"}", to: &output)
  }
  let result = UnsafeMutablePointer<UInt8>.allocate(capacity: output.count + 4)
  for index in 0..<4 {
    result[index] = UInt8(truncatingIfNeeded: output.count >> (index * 8))
  }
  for index in output.indices { result[index + 4] = output[index] }
  return result
}

/// Allocates memory for a question of the given length.
@_expose(wasm, "room")
@_cdecl("room")
func room(_ length: Int32) -> UnsafeMutablePointer<UInt8> {
  .allocate(capacity: Int(max(length, 1)))
}

private func append(_ doses: [Occurrence], in zone: Zone, to output: inout [UInt8]) {
  var writer = InstantWriter(zone)
  append("{\"instants\":[", to: &output)
  for (index, dose) in doses.enumerated() {
    append(index > 0 ? ",\"" : "\"", to: &output)
    writer.append(dose.instant, to: &output)
    append("\"", to: &output)
  }
  append("],\"moved\":[", to: &output)
  var isFirst = true
  for (index, dose) in doses.enumerated() where dose.shift != .none {
    if !isFirst { append(",", to: &output) }
    append(String(index), to: &output)
    isFirst = false
  }
  append("]}", to: &output)
}

private func append(_ text: String, to output: inout [UInt8]) {
  for byte in text.utf8 { output.append(byte) }
}

/// Appends an error's text with JSON escapes, because it may contain element names from the question.
private func appendEscaped(_ text: String, to output: inout [UInt8]) {
  for byte in text.utf8 {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { append("\\", to: &output) }
    output.append(byte < 0x20 ? UInt8(ascii: "?") : byte)
  }
}
