-- purge_host: deletes deliveries to a server, and records that in the audit log.
-- $1 moderator bigint
-- $2 host text
-- $3 ids bigint[]
-- rows: one; amount: how many there were
-- plan: rows by key
with removed as materialized (
  select j.id from graphile_worker.complete_jobs((select $3::bigint[])) j
), recorded as materialized (
  select log_action($1::bigint, 'destroy', 'Job', null, $2)
)
select (select count(*)::integer from removed) as amount from recorded
