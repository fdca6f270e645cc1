// SPDX-License-Identifier: Apache-2.0

/// The elements of the R4 datatypes, in the format of `ResourceTables`.
enum DatatypeTables {
  static let text = """
    Element: none
      id 0..1 string
      extension 0..* Extension

    BackboneElement: Element
      modifierExtension 0..* Extension

    Extension: Element
      url 1..1 uri
      value[x] 0..1 any

    Narrative: Element
      status 1..1 code narrative-status
      div 1..1 xhtml

    Meta: Element
      versionId 0..1 id
      lastUpdated 0..1 instant
      source 0..1 uri
      profile 0..* canonical
      security 0..* Coding
      tag 0..* Coding

    Coding: Element
      system 0..1 uri
      version 0..1 string
      code 0..1 code
      display 0..1 string
      userSelected 0..1 boolean

    CodeableConcept: Element
      coding 0..* Coding
      text 0..1 string

    Identifier: Element
      use 0..1 code identifier-use
      type 0..1 CodeableConcept
      system 0..1 uri
      value 0..1 string
      period 0..1 Period
      assigner 0..1 Reference

    Reference: Element
      reference 0..1 string
      type 0..1 uri
      identifier 0..1 Identifier
      display 0..1 string

    Period: Element
      start 0..1 dateTime
      end 0..1 dateTime

    Quantity: Element
      value 0..1 decimal
      comparator 0..1 code quantity-comparator
      unit 0..1 string
      system 0..1 uri
      code 0..1 code

    SimpleQuantity: Quantity
    Duration: Quantity
    Age: Quantity
    Count: Quantity
    Distance: Quantity

    Money: Element
      value 0..1 decimal
      currency 0..1 code

    Range: Element
      low 0..1 SimpleQuantity
      high 0..1 SimpleQuantity

    Ratio: Element
      numerator 0..1 Quantity
      denominator 0..1 Quantity

    SampledData: Element
      origin 1..1 SimpleQuantity
      period 1..1 decimal
      factor 0..1 decimal
      lowerLimit 0..1 decimal
      upperLimit 0..1 decimal
      dimensions 1..1 positiveInt
      data 0..1 string

    HumanName: Element
      use 0..1 code name-use
      text 0..1 string
      family 0..1 string
      given 0..* string
      prefix 0..* string
      suffix 0..* string
      period 0..1 Period

    ContactPoint: Element
      system 0..1 code contact-point-system
      value 0..1 string
      use 0..1 code contact-point-use
      rank 0..1 positiveInt
      period 0..1 Period

    Address: Element
      use 0..1 code address-use
      type 0..1 code address-type
      text 0..1 string
      line 0..* string
      city 0..1 string
      district 0..1 string
      state 0..1 string
      postalCode 0..1 string
      country 0..1 string
      period 0..1 Period

    Attachment: Element
      contentType 0..1 code
      language 0..1 code
      data 0..1 base64Binary
      url 0..1 url
      size 0..1 unsignedInt
      hash 0..1 base64Binary
      title 0..1 string
      creation 0..1 dateTime

    Annotation: Element
      author[x] 0..1 Reference|string
      time 0..1 dateTime
      text 1..1 markdown

    Signature: Element
      type 1..* Coding
      when 1..1 instant
      who 1..1 Reference
      onBehalfOf 0..1 Reference
      targetFormat 0..1 code
      sigFormat 0..1 code
      data 0..1 base64Binary

    Timing: BackboneElement
      event 0..* dateTime
      repeat 0..1 Timing.repeat
      code 0..1 CodeableConcept

    Timing.repeat: Element
      bounds[x] 0..1 Duration|Range|Period
      count 0..1 positiveInt
      countMax 0..1 positiveInt
      duration 0..1 decimal
      durationMax 0..1 decimal
      durationUnit 0..1 code units-of-time
      frequency 0..1 positiveInt
      frequencyMax 0..1 positiveInt
      period 0..1 decimal
      periodMax 0..1 decimal
      periodUnit 0..1 code units-of-time
      dayOfWeek 0..* code days-of-week
      timeOfDay 0..* time
      when 0..* code event-timing
      offset 0..1 unsignedInt

    Dosage: BackboneElement
      sequence 0..1 integer
      text 0..1 string
      additionalInstruction 0..* CodeableConcept
      patientInstruction 0..1 string
      timing 0..1 Timing
      asNeeded[x] 0..1 boolean|CodeableConcept
      site 0..1 CodeableConcept
      route 0..1 CodeableConcept
      method 0..1 CodeableConcept
      doseAndRate 0..* Dosage.doseAndRate
      maxDosePerPeriod 0..1 Ratio
      maxDosePerAdministration 0..1 SimpleQuantity
      maxDosePerLifetime 0..1 SimpleQuantity

    Dosage.doseAndRate: Element
      type 0..1 CodeableConcept
      dose[x] 0..1 Range|SimpleQuantity
      rate[x] 0..1 Ratio|Range|SimpleQuantity

    """
}
