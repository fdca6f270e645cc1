// SPDX-License-Identifier: Apache-2.0

@testable import Dosing
@testable import Plans
@testable import Reminders
@testable import Storage

/// The row types of the program, with the SQL for their names in statements.
enum RowTypes {
  static var all: [any SQLRowType.Type] {
    [
      AnswerRow.self, AnswerableDoseRow.self, CountingStockRow.self, DoseProjectionRow.self,
      DoseRow.self, EntryRow.self, IntakeRow.self, NewDoseRow.self, RecordedDoseRow.self,
      RingingDose.self, TodayPlaceRow.self,
    ] + remindersAndPlanning + stocks + messages + imports + looks + questionnaires + ofHealth
      + ofFollowUps + ofReminders + ofAccounts + ofStorage + plansAndPeople
  }

  /// SQL by the code of an interpolation, such as `DoseRow.columns`.
  private static let fragments: [String: String] = {
    var fragments = [
      "AnswerableDoseRow.tables": AnswerableDoseRow.tables.text,
      "CountingStockRow.joins": CountingStockRow.joins.text,
      "DeliveryRow.tables": DeliveryRow.tables.text,
      "DoseRow.tables": DoseRow.tables.text, "RingingDose.tables": RingingDose.tables.text,
    ]
    fragments["FoundLinkRow.tables"] = FoundLinkRow.tables.text
    fragments["ReplyOfferRow.tables"] = ReplyOfferRow.tables.text
    fragments["PlanRow.tables"] = PlanRow.tables.text
    for type in all {
      fragments["\(type).columns"] = columns(of: type)
      fragments["\(type).placeholders"] = type.placeholders.text
    }
    return fragments
  }()

  private static func columns<Row: SQLRowType>(of type: Row.Type) -> String {
    Row.columns.text.text
  }

  /// Returns the text of a literal with the columns that it names; nil if it contains other code.
  static func resolve(_ literal: SwiftLiterals.Literal) -> String? {
    if literal.interpolations.isEmpty { return literal.text }
    var text = ""
    var rest = literal.interpolations[...]
    for character in literal.text {
      guard character == SwiftLiterals.Literal.mark else {
        text.append(character)
        continue
      }
      guard let fragment = rest.popFirst().flatMap({ fragments[$0] }) else { return nil }
      text += fragment
    }
    return text
  }
}
