// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Localization
import Plans
import Web

/// The page for a draft that has become a plan, in this window or another.
struct SavedAlreadyPage: Sendable {
  let plan: Plan

  func response(_ call: Call, isPosted: Bool) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("medicines.new-title")
    frame.place = .medicines
    frame.back = .init(localizer.text("medicines.back-to-list"), address: "/medicines")
    let content: Markup = """
      <div class="narrow stack">\(Notice(
        .success, title: localizer.text(
          "add-medicine.saved-already", ["name": .text(plan.medicineName)])))\
      \(ButtonRow("""
        \(LinkButton(
          localizer.text("add-medicine.open"), address: "/medicines/\(plan.id)", kind: .primary,
          object: plan.medicineName))\
        \(LinkButton(
          localizer.text("add-medicine.another"), address: AddMedicineAddress.start, icon: .plus))
        """))</div>
      """
    return call.page(frame, content, status: isPosted ? .conflict : .ok)
  }
}
