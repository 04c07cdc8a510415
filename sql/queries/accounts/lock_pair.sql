-- lock_pair: until the end of the transaction nobody else changes how these two accounts stand to each other. Statements after it see
-- what was committed while it waited.
-- $1 one bigint
-- $2 other bigint
-- rows: one
-- plan: no sequential scan, at most 4 buffers
with locked as materialized (
  select pg_advisory_xact_lock(hashint8(least($1::bigint, $2::bigint)), hashint8(greatest($1::bigint, $2::bigint))) as lock
)
select count(*)::integer as locks from locked
