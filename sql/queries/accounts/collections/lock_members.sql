-- lock_members: locks as lock_pair does, for the curator and each of these accounts: one of them
-- may be blocking the other. In the order of the ids, so that two curators do not wait for each
-- other.
-- $1 curator bigint
-- $2 accounts bigint[]
-- rows: one
-- plan: no sequential scan
with members as materialized (
  select distinct input.id from unnest((select $2::bigint[])) input (id) order by input.id
), locked as materialized (
  select pg_advisory_xact_lock(hashint8(least($1::bigint, m.id)), hashint8(greatest($1::bigint, m.id))) as lock from members m
)
select count(*)::integer as locks from locked
