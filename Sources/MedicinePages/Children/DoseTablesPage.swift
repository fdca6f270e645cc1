// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Foundation
import HTML
import Hummingbird
import Knowledge
import Localization
import People
import Prescriptions
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The dose tables and their approvals; confirmed practitioners approve them and withdraw
/// approvals.
package struct DoseTablesPage: Sendable {
  /// The list of tables, and the form that approves one or withdraws its approval.
  package static let all: [Route] = [
    .page(.get, Address.doseTables, list),
    .accountForm("\(Address.doseTables)/:table", decide)
      .after(.recent, from: Address.doseTables),
  ]

  let approvals: [DoseApproval]
  let isPractitioner: Bool
  let zone: Zone

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try await page(call, signedIn, mistake: false)
  }

  /// Approves the version that the form showed, or withdraws the approval.
  private static func decide(_ form: PostedForm) async throws -> Response {
    let (call, signedIn) = (form.call, form.signedIn)
    let id = try form.parameter("table")
    // Only a person can take responsibility, so tokens are refused.
    guard signedIn.actor.kind == .session,
      let table = Handbook.shipped.doseTables.first(where: { $0.id == id })
    else { throw Failure.notFound }
    let version = form.text("version").flatMap { Int($0) } ?? 0
    let isWithdrawal = form.text("action") == "withdraw"
    let (accounts, account) = (call.environment.accounts, signedIn.account)
    do {
      try await form.run { context, writer in
        if isWithdrawal {
          try DoseApprovals.withdraw(
            table, by: account.id, at: context.now, accounts: accounts, in: writer)
        } else {
          try DoseApprovals.approve(
            table, version: version, by: account.id, name: account.displayName, at: context.now,
            accounts: accounts, in: writer)
        }
      }
    } catch DoseApprovalError.notAPractitioner {
      throw Failure.notFound
    } catch DoseApprovalError.changed {
      return try await page(call, signedIn, mistake: true)
    }
    return form.redirect(
      to: "\(Address.doseTables)?done=\(isWithdrawal ? "withdrawn" : "approved")")
  }

  private static func page(
    _ call: Call, _ signedIn: SignedIn, mistake: Bool
  ) async throws -> Response {
    let environment = call.environment
    let patient = signedIn.account.patient
    let page = try await environment.database.read { reader in
      DoseTablesPage(
        approvals: try DoseApprovals.inForce(Handbook.shipped.doseTables, in: reader),
        isPractitioner: try environment.accounts.isPractitioner(signedIn.account.id, in: reader),
        zone: try PeopleQueries.zone(patient, zones: environment.zones, in: reader))
    }
    return page.response(call, mistake: mistake)
  }

  private func response(_ call: Call, mistake: Bool) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("dose-tables.title")
    frame.lead = localizer.text("dose-tables.lead")
    frame.place = .lookup
    frame.back = .init(localizer.text("knowledge.title"), address: Address.knowledge)
    frame.hasErrors = mistake
    frame.flash = call.queryValue("done").flatMap { done in
      ["approved", "withdrawn"].contains(done)
        ? FlashBar(localizer.text("dose-tables.done", ["done": .text(done)])) : nil
    }
    let tables = Handbook.shipped.doseTables
    return call.page(
      frame,
      """
      <div class="narrow stack-large">\
      \(if: mistake, Notice(.error, title: localizer.text("dose-tables.changed")).markup)\
      \(if: !isPractitioner, Notice(
        .information, title: localizer.text("dose-tables.who")).markup)\
      \(each: tables, { card($0, call).markup })</div>
      """, status: mistake ? .conflict : .ok)
  }

  private func card(_ table: DoseTable, _ call: Call) -> Card {
    let localizer = call.localizer
    let handbook = Handbook.shipped
    let approval = approvals.first { $0.table == table.id }
    let strengths = table.strengths.map {
      CalculatorPage.Bottle(ingredient: table.ingredient, strength: $0).name(localizer)
    }
    let sources = Set(table.sources + table.daySources + table.rows.flatMap(\.sources)).sorted()
      .compactMap(handbook.source)
    return Card(
      title: localizer.list(strengths), level: .second,
      """
      <p>\(localizer.text("knowledge.region", ["region": .text(table.region.rawValue)])) · \
      \(localizer.text(
        "dose-tables.version", ["table": .text(table.id), "version": .number(table.version)]))</p>\
      \(status(approval, localizer))\
      \(if: !table.isReRead || sources.contains { $0.facts == .named },
        Notice(.warning, title: localizer.text("dose-tables.not-read")).markup)\
      <p>\(rules(table, localizer))</p>\
      \(if: table.dayPerKilogram != nil || table.dayInAll != nil, "<p>\(day(table, localizer))</p>")\
      \(rows(table, localizer))\
      \(SourceDisclosure(sources: sources, object: table.id, localizer: localizer))\
      \(if: isPractitioner, button(table, approval, call).markup)
      """)
  }

  private func status(_ approval: DoseApproval?, _ localizer: Localizer) -> Markup {
    guard let approval else {
      return "<p><strong>\(localizer.text("dose-tables.off"))</strong></p>"
    }
    let day = zone.date(at: Instant(milliseconds: approval.approved.milliseconds))
    return """
      <p><strong>\(localizer.text(
        "dose-tables.on",
        ["name": .text(approval.byName), "day": .text(ChildText.day(day, localizer))]))</strong></p>
      """
  }

  private func rules(_ table: DoseTable, _ localizer: Localizer) -> String {
    let apart = localizer.text("dose-tables.apart", ["hours": .number(table.hours)])
    guard table.fromMonths > 0 else { return apart }
    let youngest = localizer.text("dose-tables.youngest", ["n": .number(table.fromMonths)])
    return "\(apart) \(youngest)"
  }

  private func day(_ table: DoseTable, _ localizer: Localizer) -> String {
    let each = table.dayPerKilogram.map { mass in
      localizer.text(
        "dose-tables.day-kilogram",
        ["amount": .text(ChildText.milligrams(mass.milligramsText, localizer))])
    }
    let all = table.dayInAll.map { mass in
      localizer.text(
        "dose-tables.day-all",
        ["amount": .text(ChildText.milligrams(mass.milligramsText, localizer))])
    }
    return [each, all].compactMap(\.self).joined(separator: " ")
  }

  private func rows(_ table: DoseTable, _ localizer: Localizer) -> Markup {
    let measure = MessageArgument.text(table.measure.rawValue)
    return """
      <div class="table-scroll" tabindex="0" role="group" \
      aria-label="\(localizer.text("dose-tables.rows-label", ["table": .text(table.id)]))">\
      <table class="table dose-rows"><thead><tr><th scope="col">\
      \(localizer.text("dose-tables.measure", ["measure": measure]))</th>\
      <th scope="col">\(localizer.text("dose-tables.dose"))</th>\
      <th scope="col">\(localizer.text("dose-tables.times"))</th>\
      <th scope="col">\(localizer.text("dose-tables.conditions"))</th></tr></thead><tbody>\
      \(each: table.rows, { row($0, localizer) })</tbody></table></div>
      """
  }

  private func row(_ row: DoseTableRow, _ localizer: Localizer) -> Markup {
    func number(_ thousandths: Int) -> String { localizer.number(Decimal(thousandths) / 1_000) }
    let range =
      row.below.map {
        localizer.text(
          "dose-tables.range", ["from": .text(number(row.from)), "below": .text(number($0))])
      } ?? localizer.text("dose-tables.from", ["from": .text(number(row.from))])
    let conditions = [
      row.heavierThan.map {
        localizer.text("dose-tables.over", ["kilograms": .text(number($0))])
      }, row.needsTerm ? localizer.text("dose-tables.term") : nil,
      row.facts == .named ? localizer.text("knowledge.not-read") : nil,
    ].compactMap(\.self).joined(separator: "; ")
    return """
      <tr><th scope="row">\(range)</th>\
      <td>\(ChildText.milligrams(row.most.milligramsText, localizer))</td>\
      <td>\(localizer.number(Decimal(row.doses)))</td><td>\(conditions)</td></tr>
      """
  }

  private func button(
    _ table: DoseTable, _ approval: DoseApproval?, _ call: Call
  ) -> FormButton {
    let localizer = call.localizer
    let name = "\(table.id) \(table.version)"
    return approval == nil
      ? FormButton(
        localizer.text("dose-tables.approve"), action: "\(Address.doseTables)/\(table.id)",
        token: call.accountToken,
        fields: [("action", "approve"), ("version", String(table.version))], icon: .check,
        object: name)
      : FormButton(
        localizer.text("dose-tables.withdraw"), action: "\(Address.doseTables)/\(table.id)",
        token: call.accountToken,
        fields: [("action", "withdraw"), ("version", String(table.version))], kind: .danger,
        icon: .stop, object: name)
  }
}
