-- update: changes a rule about a network; null values stay as they are at that moment. An expired
-- rule about the new network makes room.
-- $1 moderator bigint
-- $2 block bigint
-- $3 ip text
-- $4 severity text
-- $5 comment text
-- $6 keeps_expiry boolean
-- $7 expires_at timestamptz
-- rows: one, or none when there is no such rule or another one is about that network
-- plan: no sequential scan
with expired as (
  delete from ip_blocks o where o.ip = network($3::text::inet) and o.id <> $2 and o.expires_at <= now()
  returning o.id
), changed as (
  update ip_blocks b
  set ip = coalesce(network($3::text::inet), b.ip), severity = coalesce($4, b.severity), comment = coalesce($5, b.comment),
    expires_at = case when $6::boolean then b.expires_at else $7::timestamptz end, updated_at = now()
  where b.id = $2 and (select count(*) from expired) >= 0
    and not exists (
      select from ip_blocks o where o.ip = network($3::text::inet) and o.id <> $2 and (o.expires_at is null or o.expires_at > now())
    )
  returning b.id, b.ip, b.severity, b.comment, b.created_at, b.expires_at
), logged as materialized (
  select log_action($1, 'update', 'IpBlock', changed.id, changed.ip::text) from changed
), logged_event as (
  insert into events (kind, object_id) select 'ip_blocks.changed', changed.id from changed, logged
  returning event_json(events) as event
)
select
  changed.id, changed.ip::text as ip, changed.severity, changed.comment, changed.created_at, changed.expires_at,
  (select jsonb_agg(logged_event.event) from logged_event) as events
from changed
