-- lock_uris: waits for transactions that are storing statuses with these URIs (receive_statuses),
-- and lets others wait. The statement that looks for them comes after it, so that it sees what was
-- stored.
-- $1 uris text[]
-- rows: one
-- plan: no sequential scan, at most 4 buffers
with locked as materialized (
  select pg_advisory_xact_lock(hashtext('status_uri'), key.hash) as lock
  from (select distinct hashtext(uri) as hash from unnest((select $1::text[])) uri order by hash) key
)
select count(*)::integer as locks from locked
