-- update: changes a rule about a network. An expired rule about the new network makes room.
-- $1 moderator bigint
-- $2 block bigint
-- $3 ip text
-- $4 severity text
-- $5 comment text
-- $6 expires_at timestamptz
-- rows: one, or none when there is no such rule or another one is about that network
-- plan: no sequential scan
with expired as (
  delete from ip_blocks o where o.ip = network($3::text::inet) and o.id <> $2 and o.expires_at <= now()
  returning o.id
), changed as (
  update ip_blocks b
  set ip = network($3::text::inet), severity = $4, comment = $5, expires_at = $6::timestamptz, updated_at = now()
  where b.id = $2 and (select count(*) from expired) >= 0
    and not exists (
      select from ip_blocks o where o.ip = network($3::text::inet) and o.id <> $2 and (o.expires_at is null or o.expires_at > now())
    )
  returning b.id, b.ip
), logged as materialized (
  select log_action($1, 'update', 'IpBlock', changed.id, changed.ip::text) from changed
), logged_event as (
  insert into events (kind, object_id) select 'ip_blocks.changed', changed.id from changed, logged
  returning event_json(events) as event
)
select changed.id, (select jsonb_agg(logged_event.event) from logged_event) as events from changed
