// SPDX-License-Identifier: Apache-2.0

import FHIR
import Web

/// The CapabilityStatement of the FHIR API at `/fhir/metadata`, made from the tables that the API itself works with.
enum CapabilityStatement {
  /// The day on which this description last changed.
  private static let date = "2026-11-27"

  /// The media types and short names of the answers.
  private static let formats = FHIRMedia.formats.map(JSONValue.string)

  /// The operations of the whole server, as entries of `rest.operation`.
  private static let operations = FHIROperationRoutes.definitions
    .filter { $0.levels.contains(.system) }.map(\.json)

  /// Returns the statement.
  ///
  /// - Parameter servesOrigins: True if browser apps of other sites may call the API.
  static func json(baseURL: String, servesOrigins: Bool) -> JSONValue {
    var rest: JSONValue = [
      "mode": "server",
      "documentation": """
      A search with an unknown or unsupported parameter is refused with 400, unless Prefer says \
      handling=lenient. _text, _content, _filter, _query, _list and _contained are not supported. \
      Histories take _since, _at and _count.
      """,
      "security": [
        "cors": .bool(servesOrigins),
        "service": [securityService],
        "description": """
        SMART App Launch, or bearer tokens. Every read and write follows the access policy and is \
        audited.
        """,
        "extension": [oauthAddresses(baseURL)],
      ],
      "resource": resources,
      "interaction": interactions(["transaction", "batch", "history-system"]),
      "compartment": ["http://hl7.org/fhir/CompartmentDefinition/patient"],
    ]
    if !operations.isEmpty { rest["operation"] = .array(operations) }
    return [
      "resourceType": "CapabilityStatement",
      "status": "active",
      "date": .string(date),
      "kind": "instance",
      "software": ["name": "Regimen", "version": .string(ServerSettings.version)],
      "implementation": ["description": "Regimen", "url": .string("\(baseURL)/fhir")],
      "fhirVersion": "4.0.1",
      "format": .array(formats),
      "patchFormat": [
        "application/json-patch+json", "application/merge-patch+json", "application/fhir+json",
        "application/fhir+xml",
      ],
      "rest": [rest],
    ]
  }

  /// The way in which clients get access.
  private static let securityService: JSONValue = [
    "coding": [
      [
        "system": "http://terminology.hl7.org/CodeSystem/restful-security-service",
        "code": "SMART-on-FHIR", "display": "SMART-on-FHIR",
      ]
    ],
    "text": "OAuth2 using SMART-on-FHIR profile (see http://docs.smarthealthit.org)",
  ]

  /// The addresses of the authorization server, for clients that do not read its own documents.
  private static func oauthAddresses(_ baseURL: String) -> JSONValue {
    let addresses = ["authorize", "token", "introspect", "revoke"].map { name -> JSONValue in
      ["url": .string(name), "valueUri": .string("\(baseURL)/oauth/\(name)")]
    }
    return [
      "url": "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris",
      "extension": .array(addresses),
    ]
  }

  // MARK: Types

  private static let resources = JSONValue.array(
    FHIRType.allCases.map(resource) + [SubscriptionRoutes.capability] + typesWithOperations)

  /// The types without resources, which only have operations.
  private static let typesWithOperations: [JSONValue] = ["CodeSystem", "ValueSet"].map { type in
    ["type": .string(type), "operation": .array(operations(of: type))]
  }

  private static func operations(of type: String) -> [JSONValue] {
    FHIROperationRoutes.definitions.filter { operation in
      operation.isOffered(by: type)
        && (!operation.types.isEmpty || FHIRType(rawValue: type) != nil)
    }.map(\.json)
  }

  private static func resource(_ type: FHIRType) -> JSONValue {
    var resource: JSONValue = [
      "type": .string(type.rawValue),
      "interaction": interactions(codes(of: type)),
      "versioning": type.isUpdatable ? "versioned-update" : "versioned",
      "readHistory": true,
      "updateCreate": .bool(type.isUpdateCreate),
      "conditionalCreate": .bool(type.isWritable),
      "conditionalRead": "full-support",
      "conditionalUpdate": .bool(type.isUpdatable),
      "conditionalDelete": type.isDeletable ? "single" : "not-supported",
    ]
    if type == .binary {
      resource["documentation"] = """
        A read that asks for no format of FHIR gives the content in its own media type. Content is \
        written only as a resource.
        """
    }
    let includes = parameters(of: type).filter { $0.kind == .reference }
      .map { JSONValue.string("\(type.rawValue):\($0.name)") }
    if !includes.isEmpty { resource["searchInclude"] = .array(includes) }
    let revIncludes = revIncludes(of: type)
    if !revIncludes.isEmpty { resource["searchRevInclude"] = .array(revIncludes) }
    resource["operation"] = .array(operations(of: type.rawValue))
    resource["searchParam"] = .array(
      [parameter("_id", .token), parameter("_lastUpdated", .date)]
        + parameters(of: type).map { parameter($0.name, $0.kind) })
    return resource
  }

  private static func codes(of type: FHIRType) -> [String] {
    ["read", "vread", "history-instance", "search-type"]
      + (type.hasTypeHistory ? ["history-type"] : [])
      + (type.isWritable ? ["create"] : [])
      + (type.isUpdatable ? ["update", "patch"] : [])
      + (type.isDeletable ? ["delete"] : [])
  }

  private static func interactions(_ codes: [String]) -> JSONValue {
    .array(codes.map { ["code": .string($0)] })
  }

  // MARK: Searches

  /// Returns the search parameters of a type that the server searches.
  static func parameters(of type: FHIRType) -> [SearchParameterDefinition] {
    guard let type = type.resourceType else { return [] }
    return SearchParameterTables.searchable(in: type)
  }

  private static func parameter(_ name: String, _ kind: SearchParameterKind) -> JSONValue {
    ["name": .string(name), "type": .string(kind.rawValue)]
  }

  /// Returns the references by which resources of other types can refer to a type.
  private static func revIncludes(of type: FHIRType) -> [JSONValue] {
    FHIRType.allCases.flatMap { source in
      parameters(of: source)
        .filter { parameter in
          parameter.kind == .reference
            && (parameter.targets.isEmpty || parameter.targets.contains(type.rawValue))
        }
        .map { JSONValue.string("\(source.rawValue):\($0.name)") }
    }
  }
}
