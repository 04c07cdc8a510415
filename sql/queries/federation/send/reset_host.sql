-- reset_host: forgets the failures of a server, lets its deliveries (ids) run at once, and records
-- it in the log of actions.
-- $1 moderator bigint
-- $2 host text
-- $3 ids bigint[]
-- rows: one; amount: how many deliveries there were; known: whether there
-- were failures; recorded: in the log, unless there was nothing
-- plan: rows by key
with forgotten as materialized (
  delete from delivery_hosts h where h.host = $2 returning h.host
), due as materialized (
  select j.id from graphile_worker.reschedule_jobs((select $3::bigint[]), now(), null::integer, 0, null::integer) j
), woken as materialized (
  select pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":' || count(*)::text || '}') from due
), recorded as materialized (
  select log_action($1::bigint, 'retry', 'Job', null, $2)
  where exists (select from forgotten) or exists (select from due)
)
select (select count(*)::integer from due) as amount, exists (select from forgotten) as known, (select count(*)::integer from recorded) as recorded
from woken
