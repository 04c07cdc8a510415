-- remove: removes the rule about a network; with $3 all rules whose networks contain it.
-- $1 moderator bigint
-- $2 ip text
-- $3 covering boolean
-- rows: one
-- plan: all of a small table
with removed as (
  delete from ip_blocks b
  where b.ip = network($2::text::inet) or ($3::boolean and b.ip >>= $2::inet)
  returning b.id, b.ip
), logged as materialized (
  select removed.id, log_action($1, 'destroy', 'IpBlock', removed.id, removed.ip::text) from removed
), logged_event as (
  insert into events (kind, object_id) select 'ip_blocks.changed', logged.id from logged
  returning event_json(events) as event
)
select
  (select count(*)::integer from removed) as removed,
  (select jsonb_agg(logged_event.event) from logged_event) as events
