-- unbookmark: removes the viewer's bookmark of a status, or of the status that a boost refers to.
-- Works as long as the bookmark exists, even when the status is no longer visible.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none when there is no such status, or it is neither bookmarked nor visible
-- plan: no sequential scan
with target as materialized (
  select coalesce(s.reblog_of_id, s.id) as id from statuses s where s.id = $2
), deleted as (
  delete from bookmarks k using target where k.account_id = $1 and k.status_id = target.id
  returning k.status_id
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'interaction.changed', $1, deleted.status_id, '{"change": "bookmark"}' from deleted
  returning event_json(events) as event
)
select target.id, (select jsonb_agg(logged.event) from logged) as events
from target
where exists (select from deleted) or exists (select from visible_statuses($1) s where s.id = target.id)
