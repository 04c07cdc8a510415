-- bookmark: the viewer keeps a status that they may see; of a boost, what it boosts. A second time changes nothing.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none when it is not visible, else one
-- plan: no sequential scan
with seen as materialized (
  select o.id
  from visible_statuses($1) s
  join visible_statuses($1) o on o.id = coalesce(s.reblog_of_id, s.id)
  where s.id = $2
), kept as (
  insert into bookmarks (account_id, status_id) select $1, seen.id from seen
  on conflict do nothing
  returning bookmarks.status_id
), told as (
  insert into events (kind, actor_id, status_id, data)
  select 'interaction.changed', $1, kept.status_id, '{"what": "bookmark"}' from kept
  returning event_json(events) as event
)
select seen.id, (select jsonb_agg(told.event) from told) as events from seen
