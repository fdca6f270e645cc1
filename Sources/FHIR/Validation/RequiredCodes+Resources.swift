// SPDX-License-Identifier: Apache-2.0

extension RequiredCodes {
  /// The value sets that only one or two resource types use, in the same format.
  static let resourceTable = """
    audit-event-action C R U D E
    audit-event-outcome 0 4 8 12
    bundle-type document message transaction transaction-response batch batch-response history
    bundle-type searchset collection
    care-team-status proposed active suspended inactive entered-in-error
    composition-attestation-mode personal professional legal official
    composition-status preliminary final amended entered-in-error
    consent-data-meaning instance related dependents authoredby
    consent-provision-type deny permit
    consent-state-codes draft proposed active rejected inactive entered-in-error
    device-nametype udi-label-name user-friendly-name patient-reported-name manufacturer-name
    device-nametype model-name other
    device-status active inactive entered-in-error unknown
    document-relationship-type replaces transforms signs appends
    event-status preparation in-progress not-done on-hold stopped completed entered-in-error
    event-status unknown
    group-type person animal practitioner device medication substance
    http-verb GET HEAD POST PUT DELETE PATCH
    issue-severity fatal error warning information
    issue-type invalid structure required value invariant security login unknown expired forbidden
    issue-type suppressed processing not-supported duplicate multiple-matches not-found deleted
    issue-type too-long code-invalid extension too-costly business-rule conflict transient
    issue-type lock-error no-store exception timeout incomplete throttled informational
    item-type group display boolean decimal integer date dateTime time string text url choice
    item-type open-choice attachment reference quantity
    list-mode working snapshot changes
    medication-statement-status active completed entered-in-error intended stopped on-hold unknown
    medication-statement-status not-taken
    metric-calibration-state not-calibrated calibration-required calibrated unspecified
    metric-calibration-type unspecified offset gain two-point
    metric-category measurement setting calculation unspecified
    metric-color black red green yellow blue magenta cyan white
    metric-operational-status on off standby entered-in-error
    network-type 1 2 3 4 5
    provenance-entity-role derivation revision quotation source removal
    publication-status draft active retired unknown
    questionnaire-answers-status in-progress completed amended entered-in-error stopped
    questionnaire-enable-behavior all any
    questionnaire-enable-operator exists = != > < >= <=
    search-entry-mode match include outcome
    subscription-channel-type rest-hook websocket email sms message
    subscription-status requested active error off
    udi-entry-type barcode rfid manual card self-reported unknown
    v3-ConfidentialityClassification U L M N R V
    """
}
