// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Identifiers
import SiteMap
import Web

/// The pages below `/children`: each child's schedule, made of its plans, and the dose calculator.
package enum ChildRoutes {
  private static let child = "/children/:patient"
  private static let plan = "/children/:patient/plans/:plan"

  /// The pages and forms for all children of an account.
  package static let all: [Route] = [
    .page(.get, Address.children, ChildListPage.list),
    .page(.get, child, ChildPage.show),
    .page(.post, "\(child)/weight", ChildWeightForm.save),
    .page(.get, "\(child)/dose", CalculatorPage.show),
    .page(.get, "\(child)/new", ChildPlanEditing.newForm),
    .page(.post, "\(child)/new", ChildPlanEditing.add),
    .page(.get, "\(plan)/edit", ChildPlanEditing.editForm),
    .page(.post, "\(plan)/edit", ChildPlanEditing.edit),
    .page(.get, "\(plan)/copy", ChildCopyPage.show),
    .page(.get, "\(plan)/remove", ChildRemoval.form),
    .page(.post, "\(plan)/remove", ChildRemoval.remove),
    .page(.post, "\(plan)/restore", ChildRemoval.restore),
  ]

  static func address(_ patient: PatientID, _ part: String? = nil) -> String {
    "\(Address.children)/\(patient)\(part.map { "/\($0)" } ?? "")"
  }

  static func address(_ patient: PatientID, plan: PlanID, _ part: String) -> String {
    "\(Address.children)/\(patient)/plans/\(plan)/\(part)"
  }
}
