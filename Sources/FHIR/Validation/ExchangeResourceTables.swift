// SPDX-License-Identifier: Apache-2.0

/// The elements of the resources that a server exchanges with its clients, and of the audit trail, in the
/// format of `ResourceTables`.
enum ExchangeResourceTables {
  static let text = """
    Bundle: Resource
      identifier 0..1 Identifier
      type 1..1 code bundle-type
      timestamp 0..1 instant
      total 0..1 unsignedInt
      link 0..* Bundle.link
      entry 0..* Bundle.entry
      signature 0..1 Signature

    Bundle.link: BackboneElement
      relation 1..1 string
      url 1..1 uri

    Bundle.entry: BackboneElement
      link 0..* Bundle.link
      fullUrl 0..1 uri
      resource 0..1 Resource
      search 0..1 Bundle.entry.search
      request 0..1 Bundle.entry.request
      response 0..1 Bundle.entry.response

    Bundle.entry.search: BackboneElement
      mode 0..1 code search-entry-mode
      score 0..1 decimal

    Bundle.entry.request: BackboneElement
      method 1..1 code http-verb
      url 1..1 uri
      ifNoneMatch 0..1 string
      ifModifiedSince 0..1 instant
      ifMatch 0..1 string
      ifNoneExist 0..1 string

    Bundle.entry.response: BackboneElement
      status 1..1 string
      location 0..1 uri
      etag 0..1 string
      lastModified 0..1 instant
      outcome 0..1 Resource

    Parameters: Resource
      parameter 0..* Parameters.parameter

    Parameters.parameter: BackboneElement
      name 1..1 string
      value[x] 0..1 any
      resource 0..1 Resource
      part 0..* Parameters.parameter

    OperationOutcome: DomainResource
      issue 1..* OperationOutcome.issue

    OperationOutcome.issue: BackboneElement
      severity 1..1 code issue-severity
      code 1..1 code issue-type
      details 0..1 CodeableConcept
      diagnostics 0..1 string
      location 0..* string
      expression 0..* string

    Subscription: DomainResource
      status 1..1 code subscription-status
      contact 0..* ContactPoint
      end 0..1 instant
      reason 1..1 string
      criteria 1..1 string
      error 0..1 string
      channel 1..1 Subscription.channel

    Subscription.channel: BackboneElement
      type 1..1 code subscription-channel-type
      endpoint 0..1 url
      payload 0..1 code
      header 0..* string

    AuditEvent: DomainResource
      type 1..1 Coding
      subtype 0..* Coding
      action 0..1 code audit-event-action
      period 0..1 Period
      recorded 1..1 instant
      outcome 0..1 code audit-event-outcome
      outcomeDesc 0..1 string
      purposeOfEvent 0..* CodeableConcept
      agent 1..* AuditEvent.agent
      source 1..1 AuditEvent.source
      entity 0..* AuditEvent.entity

    AuditEvent.agent: BackboneElement
      type 0..1 CodeableConcept
      role 0..* CodeableConcept
      who 0..1 Reference
      altId 0..1 string
      name 0..1 string
      requestor 1..1 boolean
      location 0..1 Reference
      policy 0..* uri
      media 0..1 Coding
      network 0..1 AuditEvent.agent.network
      purposeOfUse 0..* CodeableConcept

    AuditEvent.source: BackboneElement
      site 0..1 string
      observer 1..1 Reference
      type 0..* Coding

    AuditEvent.entity: BackboneElement
      what 0..1 Reference
      type 0..1 Coding
      role 0..1 Coding
      lifecycle 0..1 Coding
      securityLabel 0..* Coding
      name 0..1 string
      description 0..1 string
      query 0..1 base64Binary
      detail 0..* AuditEvent.entity.detail

    AuditEvent.agent.network: BackboneElement
      address 0..1 string
      type 0..1 code network-type

    AuditEvent.entity.detail: BackboneElement
      type 1..1 string
      value[x] 1..1 string|base64Binary

    """
}
