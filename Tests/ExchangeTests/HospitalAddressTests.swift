// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Exchange

/// The accepted addresses of servers, and the addresses below them.
@Suite struct HospitalAddressTests {
  @Test(arguments: [
    ("https://fhir.example/r4", "https://fhir.example/r4"),
    (" https://FHIR.Example:443/r4/ ", "https://fhir.example/r4"),
    ("https://fhir.example/r4/metadata", "https://fhir.example/r4"),
    ("http://127.0.0.1:8080/fhir", "http://127.0.0.1:8080/fhir"),
    ("https://fhir.example", "https://fhir.example"),
  ])
  func `an address has only one spelling`(typed: String, kept: String) {
    #expect(HospitalAddress(typed)?.text == kept)
  }

  @Test(arguments: [
    "", "fhir.example/r4", "ftp://fhir.example/r4", "https://", "https://me@fhir.example/r4",
    "https://fhir.example/r4?x=1", "https://fhir.example/a/../b", "https://fhir.example/%2e%2e/b",
    "https://fhir.example/r4#x", "https://fhir.example/a b",
  ])
  func `malformed values are refused`(typed: String) {
    #expect(HospitalAddress(typed) == nil)
  }

  @Test func `links are followed only within the base address`() throws {
    let base = try #require(HospitalAddress("https://fhir.example/r4"))
    #expect(
      base.followed("https://FHIR.example:443/r4/MedicationRequest?page=2")
        == "https://fhir.example/r4/MedicationRequest?page=2")
    #expect(
      base.followed("https://fhir.example/r4?_getpages=1") == "https://fhir.example/r4?_getpages=1")
    #expect(base.followed("?_getpages=1") == "https://fhir.example/r4?_getpages=1")
    #expect(base.followed("/r4/MedicationRequest?page=2") != nil)
    for foreign in [
      "https://other.example/r4/MedicationRequest?page=2", "http://fhir.example/r4?page=2",
      "https://fhir.example:8443/r4?page=2", "https://fhir.example/r5?page=2",
      "https://fhir.example/r4x?page=2", "//other.example/r4?page=2",
      "https://fhir.example/r4/../admin", "https://fhir.example@other.example/r4", "page=2",
    ] {
      #expect(base.followed(foreign) == nil, "\(foreign)")
    }
  }

  @Test func `references are only resolved on this server`() throws {
    let base = try #require(HospitalAddress("https://fhir.example/r4"))
    for own in [
      "Patient/7", "https://fhir.example/r4/Patient/7", "Patient/7/_history/2",
      "https://FHIR.example:443/r4/Patient/7",
    ] {
      let local = try #require(base.local(own), "\(own)")
      #expect(local.type == "Patient" && local.id == "7")
    }
    for other in [
      "https://other.example/r4/Patient/7", "urn:uuid:7", "#7", "Patient", "Patient/",
      "Patient/a/b",
      "https://fhir.example/Patient/7", "Patient/..",
    ] {
      #expect(base.local(other)?.id == nil, "\(other)")
    }
  }
}
