-- add_status: adds a status, which the viewer must be able to see, to a filter of the viewer.
-- $1 viewer bigint
-- $2 filter bigint
-- $3 status bigint
-- rows: none when the viewer has no such filter; id is null when nothing was added because the
--   status does not exist, is not visible or is in the filter already
-- plan: no sequential scan
with target as materialized (
  select f.id from filters f where f.id = $2 and f.account_id = $1
), shown_rows as materialized (
  select s.id from visible_statuses($1) s where s.id = $3
), added as (
  insert into filter_statuses (filter_id, status_id)
  select target.id, shown_rows.id from target cross join shown_rows
  on conflict (filter_id, status_id) do nothing
  returning filter_statuses.id
), logged as (
  insert into events (kind, account_id) select 'filters.changed', $1 from added
  returning event_json(events) as event
)
select
  (select added.id from added) as id,
  exists (select from statuses s where s.id = $3 and s.deleted_at is null) as exists,
  exists (select from shown_rows) as visible,
  (select jsonb_agg(logged.event) from logged) as events
from target
