-- remove: removes a rule, or the rule about a network; with $4 all rules whose networks contain it.
-- $1 moderator bigint
-- $2 block bigint
-- $3 ip text
-- $4 covering boolean
-- rows: one
-- plan: all of a small table
with removed as (
  delete from ip_blocks b
  where b.id = $2::bigint or b.ip = network($3::text::inet) or ($4::boolean and b.ip >>= $3::inet)
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
