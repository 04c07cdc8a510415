-- lock_pair: prevents other changes of the relations between these two accounts until the
-- transaction ends. Later statements see changes that were committed during the wait.
-- $1 one bigint
-- $2 other bigint
-- rows: one
-- plan: no sequential scan, at most 4 buffers
with locked as materialized (
  select pg_advisory_xact_lock(hashint8(least($1::bigint, $2::bigint)), hashint8(greatest($1::bigint, $2::bigint))) as lock
)
select count(*)::integer as locks from locked
