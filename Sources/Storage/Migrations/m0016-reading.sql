-- By which version of a reader everything stored has been read, so that it is read again once where that grows.

CREATE TABLE readers (
  reader TEXT NOT NULL PRIMARY KEY,
  version BIGINT NOT NULL
);
