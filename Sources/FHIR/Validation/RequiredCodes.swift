// SPDX-License-Identifier: Apache-2.0

/// The closed value sets of R4 with a required binding that the element tables name.
enum RequiredCodes {
  static let sets: [String: Set<String>] = {
    var sets = ["resource-types": R4ResourceNames.all.union(["DomainResource", "Resource"])]
    for line in [table, resourceTable].joined(separator: "\n").split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard let name = words.first else { continue }
      sets[name, default: []].formUnion(words.dropFirst())
    }
    return sets
  }()

  private static let table = """
    administrative-gender male female other unknown
    address-type postal physical both
    address-use home work temp old billing
    allergy-intolerance-category food medication environment biologic
    allergy-intolerance-criticality low high unable-to-assess
    allergy-intolerance-type allergy intolerance
    contact-point-system phone fax email pager url sms other
    contact-point-use home work temp old mobile
    contributor-type author editor reviewer endorser
    days-of-week mon tue wed thu fri sat sun
    event-timing MORN MORN.early MORN.late NOON AFT AFT.early AFT.late EVE EVE.early EVE.late
    event-timing NIGHT PHS HS WAKE C CM CD CV AC ACM ACD ACV PC PCM PCD PCV
    identifier-use usual official temp secondary old
    link-type replaced-by replaces refer seealso
    medication-admin-status in-progress not-done on-hold completed entered-in-error stopped unknown
    medication-status active inactive entered-in-error
    medicationdispense-status preparation in-progress cancelled on-hold completed
    medicationdispense-status entered-in-error stopped declined unknown
    medicationrequest-intent proposal plan order original-order reflex-order filler-order
    medicationrequest-intent instance-order option
    medicationrequest-status active on-hold cancelled completed entered-in-error stopped draft
    medicationrequest-status unknown
    name-use usual official temp nickname anonymous old maiden
    narrative-status generated extensions additional empty
    observation-status registered preliminary final amended corrected cancelled entered-in-error
    observation-status unknown
    operation-parameter-use in out
    quantity-comparator < <= >= >
    reaction-event-severity mild moderate severe
    related-artifact-type documentation justification citation predecessor successor derived-from
    related-artifact-type depends-on composed-of
    request-priority routine urgent asap stat
    sort-direction ascending descending
    trigger-type named-event periodic data-changed data-added data-modified data-removed
    trigger-type data-accessed data-access-ended
    units-of-time s min h d wk mo a
    """
}
