CREATE TABLE hotfix (
  organization text NOT NULL,
  number       integer NOT NULL,
  requested_at timestamptz NOT NULL
);
CREATE INDEX ON hotfix (organization, requested_at);
