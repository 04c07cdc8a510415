-- remove: removes the rule about a network; with $2 all rules whose networks contain it.
-- $1 ip text
-- $2 covering boolean
-- rows: one
-- plan: all of a small table
with removed as (
  delete from ip_blocks b
  where b.ip = network($1::text::inet) or ($2::boolean and b.ip >>= $1::inet)
  returning b.id
), logged as (
  insert into events (kind, object_id) select 'ip_blocks.changed', removed.id from removed
  returning event_json(events) as event
)
select (select count(*)::integer from removed) as removed, (select jsonb_agg(logged.event) from logged) as events
