-- SPDX-License-Identifier: Apache-2.0
-- Posts one Condition after another for a patient, each with its own identifier.
dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "shared.lua")

function init(arguments)
  wrk.method = "POST"
  wrk.headers["Authorization"] = os.getenv("BENCH_AUTHORIZATION")
  wrk.headers["Content-Type"] = "application/fhir+json"
  wrk.headers["Prefer"] = "return=minimal"
  patient, number = os.getenv("BENCH_PATIENT"), 0
end

function request()
  number = number + 1
  return wrk.format("POST", nil, nil, string.format(
    '{"resourceType":"Condition","identifier":[{"system":"urn:bench","value":"%d-%d"}],' ..
    '"clinicalStatus":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/condition-clinical",' ..
    '"code":"active"}]},"code":{"coding":[{"system":"http://snomed.info/sct","code":"38341003"}],' ..
    '"text":"Hypertension"},"subject":{"reference":"Patient/%s"},"recordedDate":"2026-03-01"}',
    wrk.thread:get("share"), number, patient))
end
