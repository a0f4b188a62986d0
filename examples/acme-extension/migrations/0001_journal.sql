-- Runs in the schema ext_acme.
CREATE TABLE move (
  event_id     text PRIMARY KEY,
  -- In this order the events came for the first time.
  arrival      bigint GENERATED ALWAYS AS IDENTITY,
  -- How often the event came.
  deliveries   integer NOT NULL DEFAULT 1,
  organization text NOT NULL,
  queue_id     uuid NOT NULL,
  sequence     bigint NOT NULL,
  entry_id     uuid NOT NULL,
  number       integer NOT NULL,
  attempt      integer NOT NULL,
  state        text NOT NULL,
  reason       text,
  happened_at  timestamptz NOT NULL
);
CREATE INDEX ON move (organization, happened_at);
