// SPDX-License-Identifier: Apache-2.0

/// The elements of the resources about devices and their measurements, in the format of `ResourceTables`.
enum DeviceResourceTables {
  static let text = """
    Device: DomainResource
      identifier 0..* Identifier
      definition 0..1 Reference
      udiCarrier 0..* Device.udiCarrier
      status 0..1 code device-status
      statusReason 0..* CodeableConcept
      distinctIdentifier 0..1 string
      manufacturer 0..1 string
      manufactureDate 0..1 dateTime
      expirationDate 0..1 dateTime
      lotNumber 0..1 string
      serialNumber 0..1 string
      deviceName 0..* Device.deviceName
      modelNumber 0..1 string
      partNumber 0..1 string
      type 0..1 CodeableConcept
      specialization 0..* Device.specialization
      version 0..* Device.version
      property 0..* Device.property
      patient 0..1 Reference Patient
      owner 0..1 Reference
      contact 0..* ContactPoint
      location 0..1 Reference
      url 0..1 uri
      note 0..* Annotation
      safety 0..* CodeableConcept
      parent 0..1 Reference

    Device.udiCarrier: BackboneElement
      deviceIdentifier 0..1 string
      issuer 0..1 uri
      jurisdiction 0..1 uri
      carrierAIDC 0..1 base64Binary
      carrierHRF 0..1 string
      entryType 0..1 code udi-entry-type

    Device.deviceName: BackboneElement
      name 1..1 string
      type 1..1 code device-nametype

    Device.specialization: BackboneElement
      systemType 1..1 CodeableConcept
      version 0..1 string

    Device.version: BackboneElement
      type 0..1 CodeableConcept
      component 0..1 Identifier
      value 1..1 string

    Device.property: BackboneElement
      type 1..1 CodeableConcept
      valueQuantity 0..* Quantity
      valueCode 0..* CodeableConcept

    DeviceMetric: DomainResource
      identifier 0..* Identifier
      type 1..1 CodeableConcept
      unit 0..1 CodeableConcept
      source 0..1 Reference Device
      parent 0..1 Reference Device
      operationalStatus 0..1 code metric-operational-status
      color 0..1 code metric-color
      category 1..1 code metric-category
      measurementPeriod 0..1 Timing
      calibration 0..* DeviceMetric.calibration

    DeviceMetric.calibration: BackboneElement
      type 0..1 code metric-calibration-type
      state 0..1 code metric-calibration-state
      time 0..1 instant

    """
}
