-- add: stores a rule about a network. A single address is a network of one.
-- $1 ip text
-- $2 severity text
-- $3 comment text
-- $4 expires_at timestamptz
-- $5 replaces boolean
-- rows: one; stored: false when there is a rule about it that may not be replaced
-- plan: no sequential scan
with stored as (
  insert into ip_blocks as b (ip, severity, comment, expires_at)
  values (network($1::text::inet), $2, $3, $4::timestamptz)
  on conflict (ip) do update
  set severity = excluded.severity, comment = excluded.comment, expires_at = excluded.expires_at, updated_at = now()
  where $5::boolean or b.expires_at <= now()
  returning b.id
), logged as (
  insert into events (kind, object_id) select 'ip_blocks.changed', stored.id from stored
  returning event_json(events) as event
)
select exists (select from stored) as stored, (select jsonb_agg(logged.event) from logged) as events
