// SPDX-License-Identifier: Apache-2.0

/// The elements of the R4 metadata types, which a form, a parameter or an extension may have, in the format of
/// `ResourceTables`.
enum MetadataTypeTables {
  static let text = """
    ContactDetail: Element
      name 0..1 string
      telecom 0..* ContactPoint

    Contributor: Element
      type 1..1 code contributor-type
      name 1..1 string
      contact 0..* ContactDetail

    Expression: Element
      description 0..1 string
      name 0..1 id
      language 1..1 code
      expression 0..1 string
      reference 0..1 uri

    ParameterDefinition: Element
      name 0..1 code
      use 1..1 code operation-parameter-use
      min 0..1 integer
      max 0..1 string
      documentation 0..1 string
      type 1..1 code
      profile 0..1 canonical

    RelatedArtifact: Element
      type 1..1 code related-artifact-type
      label 0..1 string
      display 0..1 string
      citation 0..1 markdown
      url 0..1 url
      document 0..1 Attachment
      resource 0..1 canonical

    TriggerDefinition: Element
      type 1..1 code trigger-type
      name 0..1 string
      timing[x] 0..1 Timing|Reference|date|dateTime
      data 0..* DataRequirement
      condition 0..1 Expression

    UsageContext: Element
      code 1..1 Coding
      value[x] 1..1 CodeableConcept|Quantity|Range|Reference

    DataRequirement: Element
      type 1..1 code
      profile 0..* canonical
      subject[x] 0..1 CodeableConcept|Reference
      mustSupport 0..* string
      codeFilter 0..* DataRequirement.codeFilter
      dateFilter 0..* DataRequirement.dateFilter
      limit 0..1 positiveInt
      sort 0..* DataRequirement.sort

    DataRequirement.codeFilter: Element
      path 0..1 string
      searchParam 0..1 string
      valueSet 0..1 canonical
      code 0..* Coding

    DataRequirement.dateFilter: Element
      path 0..1 string
      searchParam 0..1 string
      value[x] 0..1 dateTime|Period|Duration

    DataRequirement.sort: Element
      path 1..1 string
      direction 1..1 code sort-direction

    """
}
