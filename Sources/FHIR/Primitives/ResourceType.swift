// SPDX-License-Identifier: Apache-2.0

/// The R4 resource types whose elements this module knows individually.
public enum ResourceType: String, CaseIterable, Sendable {
  /// A person who receives care.
  case patient = "Patient"
  /// A prescription, or a plan that the person entered.
  case medicationRequest = "MedicationRequest"
  /// A dose taken, or not taken with its reason.
  case medicationAdministration = "MedicationAdministration"
  /// A medicine that a pharmacy handed out.
  case medicationDispense = "MedicationDispense"
  /// A medicine, its form and its ingredients.
  case medication = "Medication"
  /// A measurement or observation, such as a weight.
  case observation = "Observation"
  /// A substance that a person must not have.
  case allergyIntolerance = "AllergyIntolerance"
}

/// The names of all resource types that FHIR R4 defines.
public enum R4ResourceNames {
  /// Returns true if R4 defines a resource type of this name.
  public static func contains(_ name: String) -> Bool { all.contains(name) }

  static let all = Set(
    """
    Account ActivityDefinition AdverseEvent AllergyIntolerance Appointment AppointmentResponse
    AuditEvent Basic Binary BiologicallyDerivedProduct BodyStructure Bundle CapabilityStatement
    CarePlan CareTeam CatalogEntry ChargeItem ChargeItemDefinition Claim ClaimResponse
    ClinicalImpression CodeSystem Communication CommunicationRequest CompartmentDefinition
    Composition ConceptMap Condition Consent Contract Coverage CoverageEligibilityRequest
    CoverageEligibilityResponse DetectedIssue Device DeviceDefinition DeviceMetric DeviceRequest
    DeviceUseStatement DiagnosticReport DocumentManifest DocumentReference EffectEvidenceSynthesis
    Encounter Endpoint EnrollmentRequest EnrollmentResponse EpisodeOfCare EventDefinition Evidence
    EvidenceVariable ExampleScenario ExplanationOfBenefit FamilyMemberHistory Flag Goal
    GraphDefinition Group GuidanceResponse HealthcareService ImagingStudy Immunization
    ImmunizationEvaluation ImmunizationRecommendation ImplementationGuide InsurancePlan Invoice
    Library Linkage List Location Measure MeasureReport Media Medication MedicationAdministration
    MedicationDispense MedicationKnowledge MedicationRequest MedicationStatement MedicinalProduct
    MedicinalProductAuthorization MedicinalProductContraindication MedicinalProductIndication
    MedicinalProductIngredient MedicinalProductInteraction MedicinalProductManufactured
    MedicinalProductPackaged MedicinalProductPharmaceutical MedicinalProductUndesirableEffect
    MessageDefinition MessageHeader MolecularSequence NamingSystem NutritionOrder Observation
    ObservationDefinition OperationDefinition OperationOutcome Organization
    OrganizationAffiliation Parameters Patient PaymentNotice PaymentReconciliation Person
    PlanDefinition Practitioner PractitionerRole Procedure Provenance Questionnaire
    QuestionnaireResponse RelatedPerson RequestGroup ResearchDefinition ResearchElementDefinition
    ResearchStudy ResearchSubject RiskAssessment RiskEvidenceSynthesis Schedule SearchParameter
    ServiceRequest Slot Specimen SpecimenDefinition StructureDefinition StructureMap Subscription
    Substance SubstanceNucleicAcid SubstancePolymer SubstanceProtein
    SubstanceReferenceInformation SubstanceSourceMaterial SubstanceSpecification SupplyDelivery
    SupplyRequest Task TerminologyCapabilities TestReport TestScript ValueSet VerificationResult
    VisionPrescription
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
