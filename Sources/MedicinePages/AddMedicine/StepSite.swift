// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Identifiers
import Localization
import Plans
import Presentation
import SiteMap
import Web

/// The pages that contain the steps of a medicine: their person, addresses, frame and token.
struct StepSite: Sendable {
  /// The result of saving the medicine.
  enum Kind: Sendable {
    /// A new medicine of the person whose pages are shown.
    case new
    /// Another version of a medicine that the person has.
    case change(Plan)
    /// A prescription that a practitioner proposes to a patient.
    case prescription(PractitionerAccess)
  }

  let kind: Kind
  /// The request, on the pages of the person who takes the medicine.
  let call: Call
  let signedIn: SignedIn

  /// Creates the pages for a new medicine of the person whose pages are shown.
  init(_ call: Call, _ signedIn: SignedIn, kind: Kind = .new) {
    self.kind = kind
    self.call = call
    self.signedIn = signedIn
  }

  var localizer: Localizer { call.localizer }

  /// The patient who takes the medicine.
  var patient: PatientID {
    switch kind {
    case .new: call.patient(of: signedIn)
    case .change(let plan): plan.patient
    case .prescription(let access): access.patient
    }
  }

  /// The purpose of the drafts that these pages store.
  var purpose: MedicineDraft.Purpose {
    switch kind {
    case .new: .new
    case .change: .change
    case .prescription: .prescription
    }
  }

  /// The token of the forms; a practitioner's forms name the patient in their addresses.
  var token: FormToken {
    switch kind {
    case .new, .change: call.formToken
    case .prescription: call.accountToken
    }
  }

  // MARK: Addresses

  /// The page with the search, where a first step's back link leads.
  var start: String {
    switch kind {
    case .new: AddMedicineAddress.start
    case .change(let plan): "/medicines/\(plan.id)"
    case .prescription(let access): "\(access.address)/prescribe"
    }
  }

  /// The address of the suggestions for the search.
  var suggestions: String { "\(start)/suggestions.json" }

  /// The long form without a draft.
  var form: String {
    switch kind {
    case .change: "\(start)/edit"
    case .new, .prescription: "\(start)/details"
    }
  }

  /// The page that the search's back link opens.
  var home: PageFrame.BackLink {
    switch kind {
    case .new: .init(localizer.text("medicines.back-to-list"), address: "/medicines")
    case .change(let plan): .init(plan.medicineName, address: start)
    case .prescription(let access): .init(access.name, address: access.address)
    }
  }

  /// Returns the address of a step of a draft.
  func step(_ step: AddMedicineStep, of draft: PlanID) -> String {
    switch step {
    case .which: base(draft)
    case .often, .times, .check: "\(base(draft))/\(step.rawValue)"
    }
  }

  /// Returns the address of the long form, filled in from a draft if the form can represent it.
  func details(of draft: PlanID) -> String {
    if case .change = kind { return form }
    return "\(base(draft))/details"
  }

  /// Returns the address that discards a draft.
  func discard(_ draft: PlanID) -> String { "\(base(draft))/discard" }

  private func base(_ draft: PlanID) -> String {
    switch kind {
    case .new, .prescription: "\(start)/\(draft)"
    case .change: "\(start)/change"
    }
  }

  // MARK: Frame

  /// Returns the frame of a step: its question as the heading, then the step's number, or the
  /// patient or medicine, and the name.
  func frame(of step: AddMedicineStep, name: String, back: PageFrame.BackLink) -> PageFrame {
    var frame: PageFrame
    switch kind {
    case .new, .change:
      frame = call.frame()
      frame.place = .medicines
    case .prescription: frame = call.careFrame(signedIn)
    }
    frame.title = localizer.text("add-medicine.title", ["step": .text(step.rawValue)])
    frame.back = back
    let number = (AddMedicineStep.allCases.firstIndex(of: step) ?? 0) + 1
    let progress = localizer.text(
      "add-medicine.progress",
      [
        "number": .number(number), "count": .number(AddMedicineStep.allCases.count),
        "name": .text(name.isEmpty ? "none" : name),
      ])
    switch kind {
    case .new: frame.lead = progress
    case .change: frame.lead = localizer.text("medicines.edit-title", ["name": .text(name)])
    case .prescription(let access):
      frame.lead = localizer.text(
        "add-medicine.for-patient", ["name": .text(access.name), "progress": .text(progress)])
    }
    return frame
  }
}
