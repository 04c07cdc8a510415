-- receive_statuses stores several statuses of other servers at once. Locks nothing.
drop function if exists receive_status(
  bigint, text, text, text, text, visibility, boolean, text, timestamptz, bigint, text, bigint[], bigint[], text[], text[],
  jsonb, jsonb, text, boolean, boolean, text, integer
);
