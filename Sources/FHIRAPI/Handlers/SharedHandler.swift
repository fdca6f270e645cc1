// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Identifiers
import Records
import Storage
import Web

/// Writes the resources that belong to no patient, such as practitioners and medicines: everyone who
/// is signed in reads them, and only credentials for the whole system change them.
struct SharedHandler: ResourceHandler {
  let type: ResourceType
  let takesID = true
}
