// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Records
import Storage
import Web

/// The name of a medicine that a resource only refers to.
enum NamedMedication {
  /// Returns a resource whose reference to a Medication of this server has that Medication's name.
  ///
  /// People read the name, and it must not change when the Medication does. A reference that has a `display`, or
  /// that leads elsewhere or to nothing, stays as it is.
  ///
  /// - Throws: The failure 422 for a Medication without a name.
  static func completed(
    _ resource: JSONValue, _ type: ResourceType, _ write: FHIRWriteContext,
    in reader: any SQLReader
  ) throws -> JSONValue {
    let element = resource["medicationReference"]
    guard element?["display"] == nil, let text = element?["reference"]?.string,
      let key = ReferenceReading.key(of: text, base: write.caller.base), key.type == .medication,
      let authorization = try? write.caller.readShared(.medication)
    else { return resource }
    let medication: JSONValue
    do throws(RecordsError) {
      medication = try SharedRecordStore().read(
        .medication, key.id, authorization: authorization, in: reader
      ).json()
    } catch {
      guard error == .notFound || error == .gone else { throw error }
      return resource
    }
    guard let name = name(of: medication) else {
      throw Failure.element(
        .unprocessableContent, .required, "\(type.rawValue).medicationReference.display",
        "\(text) has no name. Send a display with the reference, or give its code a text.")
    }
    var named = resource
    named["medicationReference"]?["display"] = .string(name)
    return named
  }

  private static func name(of medication: JSONValue) -> String? {
    let code = medication["code"]
    let displays = (code?["coding"]?.array ?? []).lazy.compactMap { $0["display"]?.string }
    return code?["text"]?.string ?? displays.first
  }
}
