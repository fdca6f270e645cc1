// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Small invented resources that are valid R4.
enum Fixtures {
  static let valid: [(ResourceType, String)] = basic + clinical + administrative + exchanged

  static let basic: [(ResourceType, String)] = [
    (.patient, patient), (.medicationRequest, request), (.medicationAdministration, administration),
    (.medication, medication),
  ]

  static let patient = """
    {"resourceType":"Patient","id":"p-1","meta":{"versionId":"3","lastUpdated":"2026-03-01T08:00:00.250+01:00",\
    "tag":[{"system":"http://example.org/tags","code":"demo"}]},"language":"nb",\
    "text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\"><p class='a'>Kari &amp; co<br/></p></div>"},\
    "extension":[{"url":"http://hl7.org/fhir/StructureDefinition/timezone","valueCode":"Europe/Oslo"}],\
    "identifier":[{"use":"official","system":"urn:oid:2.16.578.1","value":"01017012345"}],"active":true,\
    "name":[{"use":"old","family":"Berg"},{"use":"official","family":"Ødegård","given":["Kari",null],\
    "_given":[null,{"extension":[{"url":"http://example.org/initial","valueString":"M"}]}]}],\
    "telecom":[{"system":"phone","value":"+47 55 55 55 55","use":"mobile","rank":1},{"system":"email","value":"kari@example.org"}],\
    "gender":"female","birthDate":"1948-07","_birthDate":{"id":"b1"},"deceasedBoolean":false,\
    "communication":[{"language":{"coding":[{"system":"urn:ietf:bcp:47","code":"en"}]}},\
    {"language":{"coding":[{"code":"nb"}]},"preferred":true}]}
    """

  static let request = """
    {"resourceType":"MedicationRequest","id":"m1","contained":[{"resourceType":"Medication","id":"med",\
    "code":{"coding":[{"system":"http://www.whocc.no/atc","code":"C07AB07"}],"text":"Bisoprolol 2.5 mg"}},\
    {"resourceType":"Organization","id":"org","name":"Clinic"}],"status":"active","intent":"plan",\
    "medicationReference":{"reference":"#med"},"subject":{"reference":"Patient/p-1"},"authoredOn":"2026-02-28",\
    "requester":{"reference":"#org","display":"Clinic"},"note":[{"authorString":"Kari","text":"With water"}],\
    "dosageInstruction":[{"sequence":1,"text":"One in the morning","timing":{"event":["2026-03-01T08:00:00.125+01:00"],\
    "repeat":{"boundsPeriod":{"start":"2026-03-01","end":"2026-03-31"},"frequency":1,"period":1.0,"periodUnit":"d",\
    "dayOfWeek":["mon","wed"],"when":["ACM"],"offset":30},"code":{"text":"mornings"}},\
    "asNeededCodeableConcept":{"text":"pain"},"route":{"text":"by mouth"},\
    "doseAndRate":[{"doseQuantity":{"value":72.10,"unit":"mg","system":"http://unitsofmeasure.org","code":"mg"},\
    "rateRatio":{"numerator":{"value":1.2E+2,"comparator":"<"},"denominator":{"value":1}}}]}]}
    """

  static let administration = """
    {"resourceType":"MedicationAdministration","id":"a.1","status":"not-done",\
    "statusReason":[{"coding":[{"system":"http://example.org/reasons","code":"nausea","display":"Nausea"}]}],\
    "medicationCodeableConcept":{"coding":[{"code":"x","display":"Metformin"}]},\
    "subject":{"reference":"Patient/p-1"},"effectivePeriod":{"start":"2026-03-01T08:00:00Z","end":"2026-03-01T08:10:00Z"},\
    "performer":[{"actor":{"reference":"urn:uuid:53fefa32-fcbb-4ff8-8a92-55ee120877b7"}}],\
    "request":{"reference":"MedicationRequest/m1/_history/2"},"dosage":{"text":"half","dose":{"value":0.5,"unit":"tablet"}}}
    """

  static let medication = """
    {"resourceType":"Medication","status":"active","code":{"text":"Paracetamol"},\
    "amount":{"numerator":{"value":20},"denominator":{"value":1}},\
    "ingredient":[{"itemReference":{"reference":"Substance/s1"},"isActive":true}],"batch":{"expirationDate":"2027"}}
    """
}
