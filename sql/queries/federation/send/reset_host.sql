-- reset_host: deletes the failures of a server, schedules its deliveries for now, and records that
-- in the audit log.
-- $1 moderator bigint
-- $2 host text
-- $3 ids bigint[]
-- rows: one; amount: the number of deliveries; known: whether there
--   were failures; recorded: whether it was logged: only if there was either
-- plan: rows by key
with cleared as materialized (
  delete from delivery_hosts h where h.host = $2 returning h.host
), due as materialized (
  select j.id from graphile_worker.reschedule_jobs((select $3::bigint[]), now(), null::integer, 0, null::integer) j
), signalled as materialized (
  select pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":' || count(*)::text || '}') from due
), recorded as materialized (
  select log_action($1::bigint, 'retry', 'Job', null, $2)
  where exists (select from cleared) or exists (select from due)
)
select (select count(*)::integer from due) as amount, exists (select from cleared) as known, (select count(*)::integer from recorded) as recorded
from signalled
