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
  /// A medicine that a person says they take.
  case medicationStatement = "MedicationStatement"
  /// A disease or another problem.
  case condition = "Condition"
  /// A message about a person.
  case communication = "Communication"
  /// A professional.
  case practitioner = "Practitioner"
  /// The place and the speciality in which a professional works.
  case practitionerRole = "PractitionerRole"
  /// A hospital, practice or pharmacy.
  case organization = "Organization"
  /// A family member or another person close to a patient.
  case relatedPerson = "RelatedPerson"
  /// The people who care for a patient.
  case careTeam = "CareTeam"
  /// A patient's agreement to share data.
  case consent = "Consent"
  /// A watch, a pill box or another device.
  case device = "Device"
  /// One measurement that a device makes.
  case deviceMetric = "DeviceMetric"
  /// A form with questions.
  case questionnaire = "Questionnaire"
  /// The answers to a form.
  case questionnaireResponse = "QuestionnaireResponse"
  /// The origin of a resource.
  case provenance = "Provenance"
  /// A line of the audit trail.
  case auditEvent = "AuditEvent"
  /// Content that is not FHIR, such as a PDF file.
  case binary = "Binary"
  /// The table of contents of a document.
  case composition = "Composition"
  /// A list of resources: a document, a message, a transaction or the result of a search.
  case bundle = "Bundle"
  /// A request to be told of changes.
  case subscription = "Subscription"
  /// A list of people or things.
  case group = "Group"
  /// The findings about a request.
  case operationOutcome = "OperationOutcome"
  /// The arguments or results of an operation.
  case parameters = "Parameters"
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
