-- FHIR: pages of histories by index.

-- The versions of a type, the newest first.
CREATE INDEX resources_by_time ON resources (type, last_updated, id, version);
CREATE INDEX resource_versions_by_time ON resource_versions (type, last_updated, id, version);
CREATE INDEX shared_resources_by_time ON shared_resources (type, last_updated, id, version);
CREATE INDEX shared_resource_versions_by_time
  ON shared_resource_versions (type, last_updated, id, version);

-- The older versions and deletions of a type of one patient, the newest first.
CREATE INDEX resource_versions_by_change ON resource_versions (patient, type, last_updated);
