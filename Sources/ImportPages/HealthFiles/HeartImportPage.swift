// SPDX-License-Identifier: Apache-2.0

import HealthData
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Observations
import SiteMap
import Web

/// The page on which an export is chosen.
struct HeartImportPage: Sendable {
  /// The mistake in the file sent before.
  let mistake: HeartImportMistake?

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("heart-rate.import.title")
    frame.lead = localizer.text("heart-rate.import.lead")
    frame.place = .progress
    frame.back = PageFrame.BackLink(localizer.text("heart-rate.title"), address: Address.heartRate)
    let error = mistake.map {
      localizer.text("heart-rate.import.mistake", ["mistake": .text($0.rawValue)])
    }
    let errors = error.map { [FieldError(field: "file", message: $0)] } ?? []
    let status: HTTPResponse.Status =
      switch mistake {
      case nil: .ok
      case .tooLarge: .contentTooLarge
      case .running: .conflict
      case .missing: .unprocessableContent
      }
    return call.formPage(
      frame, errors: errors, status: status,
      """
      <p>\(localizer.text("heart-rate.import.how"))</p>\
      \(Form(
        action: Address.heartRateImport, token: call.formToken, holdsFile: true,
        fields: """
          \(FormField(
            "file", label: localizer.text("heart-rate.import.file"),
            kind: .file(
              types: ".zip,.xml,.json,.csv,.tsv,.txt,.db,application/zip,text/xml,text/csv"),
            hint: localizer.text("heart-rate.import.hint"), error: error, localizer: localizer))
          """,
        buttons: """
          \(Button(
            localizer.text("heart-rate.import.start"), icon: .download,
            person: call.formToken.personName))
          """))
      """)
  }
}

/// The progress and result of an import.
struct HeartJobPage: Sendable {
  let job: HealthImportJob
  let uptime: UInt64

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    let state = job.state
    var frame = call.frame()
    frame.title = localizer.text("heart-rate.import.title")
    frame.place = .progress
    frame.back = PageFrame.BackLink(localizer.text("heart-rate.title"), address: Address.heartRate)
    var response = call.page(frame, content(state, call))
    if state.isRunning { response.headers[.refresh] = "2" }
    return response
  }

  private func content(_ state: HealthImportJob.State, _ call: Call) -> Markup {
    let localizer = call.localizer
    let again = LinkButton(
      localizer.text("heart-rate.import.again"), address: Address.heartRateImport, icon: .download)
    if let failure = state.failure {
      return """
        <div class="narrow stack">\(Notice(
          .warning,
          title: localizer.text("heart-rate.import.failed", ["why": .text(failure.rawValue)]),
          "<p>\(localizer.text("heart-rate.import.kept"))</p>"))\(ButtonRow("\(again)"))</div>
        """
    }
    guard let report = state.report else {
      return """
        <div class="narrow stack"><p role="status">\(progress(state, localizer))</p>\
        <progress max="\(max(1, state.size))" value="\(state.read)" \
        aria-label="\(localizer.text("heart-rate.import.title"))"></progress>\
        <p>\(localizer.text("heart-rate.import.leave"))</p>\
        \(FormButton(
          localizer.text("heart-rate.import.stop"), action: "\(Address.heartRateImport)/\(job.id)/stop",
          token: call.formToken, kind: .secondary, icon: .stop))</div>
        """
    }
    return """
      <div class="narrow stack">\
      \(Notice(.success, title: localizer.text(
        "heart-rate.import.done", ["count": .number(report.counts.stored)])))\
      \(Section(localizer.text("heart-rate.import.found"), """
        <ul>\(each: VitalKind.allCases.filter { report.read.values[$0] != nil }, { kind in
          item(
            "heart-rate.import.values",
            ["kind": .text(kind.rawValue), "count": .number(report.read.values[kind] ?? 0)],
            localizer)
        })</ul><p>\(localizer.text(
          "heart-rate.import.counts",
          [
            "stored": .number(report.counts.stored), "replaced": .number(report.counts.replaced),
            "unchanged": .number(report.counts.unchanged),
          ]))</p>
        """))\
      \(faults(report, repaired: true, localizer))\(faults(report, repaired: false, localizer))\
      \(report.medicines.map { "<p>\(medicines($0, localizer))</p>" as Markup })\
      \(if: report.prescriptions != nil, "<p>\(localizer.text("heart-rate.import.offered"))</p>")\
      \(ButtonRow("\(again)"))</div>
      """
  }

  private func medicines(
    _ medicines: HealthImportReport.Medicines, _ localizer: Localizer
  ) -> String {
    localizer.text(
      "columns.medicines",
      ["taken": .number(medicines.taken), "skipped": .number(medicines.skipped)])
  }

  private func item(
    _ key: MessageKey, _ arguments: MessageArguments, _ localizer: Localizer
  ) -> Markup {
    "<li>\(localizer.text(key, arguments))</li>"
  }

  /// Returns the megabytes read, the rate, and the time left.
  private func progress(_ state: HealthImportJob.State, _ localizer: Localizer) -> String {
    if state.isQueued { return localizer.text("heart-rate.import.queued") }
    let seconds = max(1, Int64((uptime &- job.begin) / 1_000_000_000))
    let rate = state.read / seconds
    let rest = rate > 0 ? (state.size - state.read) / rate : 0
    return localizer.text(
      "heart-rate.import.progress",
      [
        "read": .number(Int(state.read >> 20)), "size": .number(Int(state.size >> 20)),
        "rate": .number(Int(rate >> 20)), "rest": .number(Int(clamping: rest)),
      ])
  }

  private func faults(
    _ report: HealthImportReport, repaired: Bool, _ localizer: Localizer
  ) -> Markup {
    let faults = report.faults(repaired: repaired)
    guard !faults.isEmpty else { return Markup() }
    let title = localizer.text(
      repaired ? "heart-rate.import.repaired" : "heart-rate.import.skipped")
    return Section(
      title,
      """
      <ul>\(each: faults, { entry in
        item(
          "heart-rate.import.fault",
          ["fault": .text(entry.fault.rawValue), "count": .number(entry.count)], localizer)
      })</ul>
      """
    ).markup
  }
}
