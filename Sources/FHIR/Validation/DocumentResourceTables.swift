// SPDX-License-Identifier: Apache-2.0

/// The elements of documents, forms and their answers, in the format of `ResourceTables`.
enum DocumentResourceTables {
  static let text = """
    Composition: DomainResource
      identifier 0..1 Identifier
      status 1..1 code composition-status
      type 1..1 CodeableConcept
      category 0..* CodeableConcept
      subject 0..1 Reference
      encounter 0..1 Reference
      date 1..1 dateTime
      author 1..* Reference
      title 1..1 string
      confidentiality 0..1 code v3-ConfidentialityClassification
      attester 0..* Composition.attester
      custodian 0..1 Reference
      relatesTo 0..* Composition.relatesTo
      event 0..* Composition.event
      section 0..* Composition.section

    Composition.attester: BackboneElement
      mode 1..1 code composition-attestation-mode
      time 0..1 dateTime
      party 0..1 Reference

    Composition.relatesTo: BackboneElement
      code 1..1 code document-relationship-type
      target[x] 1..1 Identifier|Reference

    Composition.event: BackboneElement
      code 0..* CodeableConcept
      period 0..1 Period
      detail 0..* Reference

    Composition.section: BackboneElement
      title 0..1 string
      code 0..1 CodeableConcept
      author 0..* Reference
      focus 0..1 Reference
      text 0..1 Narrative
      mode 0..1 code list-mode
      orderedBy 0..1 CodeableConcept
      entry 0..* Reference
      emptyReason 0..1 CodeableConcept
      section 0..* Composition.section

    Binary: Resource
      contentType 1..1 code
      securityContext 0..1 Reference
      data 0..1 base64Binary

    Questionnaire: DomainResource
      url 0..1 uri
      identifier 0..* Identifier
      version 0..1 string
      name 0..1 string
      title 0..1 string
      derivedFrom 0..* canonical
      status 1..1 code publication-status
      experimental 0..1 boolean
      subjectType 0..* code resource-types
      date 0..1 dateTime
      publisher 0..1 string
      contact 0..* ContactDetail
      description 0..1 markdown
      useContext 0..* UsageContext
      jurisdiction 0..* CodeableConcept
      purpose 0..1 markdown
      copyright 0..1 markdown
      approvalDate 0..1 date
      lastReviewDate 0..1 date
      effectivePeriod 0..1 Period
      code 0..* Coding
      item 0..* Questionnaire.item

    Questionnaire.item: BackboneElement
      linkId 1..1 string
      definition 0..1 uri
      code 0..* Coding
      prefix 0..1 string
      text 0..1 string
      type 1..1 code item-type
      enableWhen 0..* Questionnaire.item.enableWhen
      enableBehavior 0..1 code questionnaire-enable-behavior
      required 0..1 boolean
      repeats 0..1 boolean
      readOnly 0..1 boolean
      maxLength 0..1 integer
      answerValueSet 0..1 canonical
      answerOption 0..* Questionnaire.item.answerOption
      initial 0..* Questionnaire.item.initial
      item 0..* Questionnaire.item

    Questionnaire.item.enableWhen: BackboneElement
      question 1..1 string
      operator 1..1 code questionnaire-enable-operator
      answer[x] 1..1 boolean|decimal|integer|date|dateTime|time|string|Coding|Quantity|Reference

    Questionnaire.item.answerOption: BackboneElement
      value[x] 1..1 integer|date|time|string|Coding|Reference
      initialSelected 0..1 boolean

    Questionnaire.item.initial: BackboneElement
      value[x] 1..1 boolean|decimal|integer|date|dateTime|time|string|uri|Attachment|Coding|Quantity|Reference

    QuestionnaireResponse: DomainResource
      identifier 0..1 Identifier
      basedOn 0..* Reference
      partOf 0..* Reference
      questionnaire 0..1 canonical
      status 1..1 code questionnaire-answers-status
      subject 0..1 Reference
      encounter 0..1 Reference
      authored 0..1 dateTime
      author 0..1 Reference
      source 0..1 Reference
      item 0..* QuestionnaireResponse.item

    QuestionnaireResponse.item: BackboneElement
      linkId 1..1 string
      definition 0..1 uri
      text 0..1 string
      answer 0..* QuestionnaireResponse.item.answer
      item 0..* QuestionnaireResponse.item

    QuestionnaireResponse.item.answer: BackboneElement
      value[x] 0..1 boolean|decimal|integer|date|dateTime|time|string|uri|Attachment|Coding|Quantity|Reference
      item 0..* QuestionnaireResponse.item

    """
}
