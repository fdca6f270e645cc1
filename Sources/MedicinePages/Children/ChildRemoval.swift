// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTML
import Hummingbird
import Localization
import Plans
import Prescriptions
import Storage
import Web

/// Removes a medicine from a child's schedule after a confirmation, and restores it.
package enum ChildRemoval {
  @Sendable static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (here, child) = try await Child.open(call, signedIn, to: .update)
    let plan = try await ChildPlanEditing.plan(here, child)
    let home = ChildRoutes.address(child.patient)
    guard plan.status == "active" || plan.status == "on-hold" else {
      return here.redirect(to: home)
    }
    let localizer = here.localizer
    let names: MessageArguments = [
      "medicine": .text(plan.medicineName), "name": .text(child.person.name),
    ]
    var frame = here.frame()
    frame.title = localizer.text("children.remove-title", names)
    frame.place = .people
    frame.back = .init(child.person.name, address: home)
    return here.page(
      frame,
      """
      <div class="narrow stack">\
      \(Notice(
        .warning, title: localizer.text("children.remove-effect"),
        "<p>\(localizer.text("children.remove-undo"))</p>"))\
      \(Form(
        action: ChildRoutes.address(child.patient, plan: plan.id, "remove"), token: here.formToken,
        fields: Markup(),
        buttons: """
          \(Button(
            localizer.text("children.remove"), kind: .danger, icon: .stop,
            object: plan.medicineName, person: here.formToken.personName))\
          \(LinkButton(localizer.text("medicines.stop-keep"), address: home))
          """))</div>
      """)
  }

  @Sendable static func remove(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (here, child, _) = try await Child.posted(call, signedIn, to: .update)
    let plan = try await ChildPlanEditing.plan(here, child)
    let context = here.environment.commandContext(for: signedIn, now: here.now)
    let reason = here.localizer.text("children.remove-reason")
    let home = ChildRoutes.address(child.patient)
    do {
      _ = try await here.environment.database.write { writer in
        try PlanCommands.remove(plan.id, reason: reason, context: context, in: writer)
      }
    } catch PlanError.alreadyStopped {
      return here.redirect(to: home)
    }
    return here.redirect(to: "\(home)?done=removed&plan=\(plan.id)")
  }

  @Sendable static func restore(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (here, child, _) = try await Child.posted(call, signedIn, to: .update)
    let plan = try await ChildPlanEditing.plan(here, child)
    let context = here.environment.commandContext(for: signedIn, now: here.now)
    let home = ChildRoutes.address(child.patient)
    do {
      _ = try await here.environment.database.write { writer in
        try PlanCommands.restore(plan.id, context: context, in: writer)
      }
    } catch PlanError.alreadyStopped {
      return here.redirect(to: home)
    }
    return here.redirect(to: "\(home)?done=restored")
  }
}

/// The page that copies a medicine to another child; the form that follows asks for the amount
/// again.
package enum ChildCopyPage {
  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let (here, child) = try await Child.open(call, signedIn)
    let plan = try await ChildPlanEditing.plan(here, child)
    let localizer = here.localizer
    let others = try await ChildListPage.children(here)
      .filter { $0.patient != child.patient && $0.person.mayAct }
    var frame = here.frame()
    frame.title = localizer.text("children.copy-title", ["medicine": .text(plan.medicineName)])
    frame.lead = localizer.text("children.copy-lead")
    frame.place = .people
    frame.back = .init(child.person.name, address: ChildRoutes.address(child.patient))
    guard !others.isEmpty else {
      return here.page(
        frame,
        EmptyState(
          icon: .person, text: localizer.text("children.copy-none"),
          action: LinkButton(
            localizer.text("children.add"), address: "/people/new", kind: .primary, icon: .plus
          ).markup
        ).markup)
    }
    return here.page(
      frame,
      PlaceList(
        others.map {
          .init(
            $0.person.name,
            address:
              "\(ChildRoutes.address($0.patient, "new"))?from=\(plan.id)&of=\(child.patient)",
            icon: .person)
        }
      ).markup)
  }
}
