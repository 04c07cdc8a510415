-- bookmark: the viewer bookmarks a visible status, or the status that a boost refers to. Has no
-- effect when it is bookmarked already.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none when it is not visible, else one
-- plan: no sequential scan
with visible as materialized (
  select o.id
  from visible_statuses($1) s
  join visible_statuses($1) o on o.id = coalesce(s.reblog_of_id, s.id)
  where s.id = $2
), saved as (
  insert into bookmarks (account_id, status_id) select $1, visible.id from visible
  on conflict do nothing
  returning bookmarks.status_id
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'interaction.changed', $1, saved.status_id, '{"change": "bookmark"}' from saved
  returning event_json(events) as event
)
select visible.id, (select jsonb_agg(logged.event) from logged) as events from visible
