// SPDX-License-Identifier: Apache-2.0

import HomeDevices
import Identifiers
import Web

/// A device as a person typed it.
struct HomeDeviceInput: Sendable {
  /// A row of the form.
  struct Row: Sendable {
    var name = ""
    var meaning = HomeDeviceCompartment.Meaning.ask
    var plan = ""
  }

  var kind: HomeDevice.Kind? = .pillBox
  var name = ""
  /// The meaning of the device as a whole first, then its compartments.
  var rows = [Row()]

  /// An empty form.
  init() {}

  /// The form of a known device.
  init(_ device: HomeDevice, _ compartments: [HomeDeviceCompartment]) {
    kind = device.kind
    name = device.name
    let whole = compartments.first { $0.name == HomeDeviceCompartment.whole }
    rows = [whole.map(Self.row) ?? Row(meaning: .note)]
    rows += compartments.filter { $0.name != HomeDeviceCompartment.whole }.map(Self.row)
  }

  /// The form as it was sent: rows without a name are left out, except for the first.
  init(_ fields: FormBody) {
    kind = fields.text("kind").flatMap(HomeDevice.Kind.init(rawValue:))
    name = fields.text("name") ?? ""
    rows = []
    for index in 0...HomeDeviceCompartment.most {
      let meaning = fields.text("meaning-\(index)")
        .flatMap(HomeDeviceCompartment.Meaning.init(rawValue:))
      let row = Row(
        name: index == 0 ? "" : fields.text("compartment-\(index)") ?? "",
        meaning: meaning ?? .note, plan: fields.text("plan-\(index)") ?? "")
      if index == 0 || !row.name.isEmpty { rows.append(row) }
    }
  }

  var compartments: [HomeDeviceCompartment] {
    rows.map { row in
      HomeDeviceCompartment(
        row.name, row.meaning, plan: row.plan.isEmpty ? nil : PlanID(row.plan))
    }
  }

  private static func row(_ compartment: HomeDeviceCompartment) -> Row {
    Row(
      name: compartment.name, meaning: compartment.meaning, plan: compartment.plan?.text ?? "")
  }
}
