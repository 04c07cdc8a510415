-- add: stores a rule about a network. A single address is a network of one. An expired rule about
-- it is replaced in any case, and the rule counts as new.
-- $1 moderator bigint
-- $2 ip text
-- $3 severity text
-- $4 comment text
-- $5 expires_at timestamptz
-- $6 replaces boolean
-- rows: one, or none when there is a rule about it that may not be replaced
-- plan: no sequential scan
with stored as (
  insert into ip_blocks as b (ip, severity, comment, expires_at)
  values (network($2::text::inet), $3, $4, $5::timestamptz)
  on conflict (ip) do update
  set severity = excluded.severity, comment = excluded.comment, expires_at = excluded.expires_at, updated_at = now(),
    created_at = case when b.expires_at <= now() then now() else b.created_at end
  where $6::boolean or b.expires_at <= now()
  returning b.id, b.ip, b.severity, b.comment, b.created_at, b.expires_at
), logged as materialized (
  select log_action($1, 'create', 'IpBlock', stored.id, stored.ip::text) from stored
), logged_event as (
  insert into events (kind, object_id) select 'ip_blocks.changed', stored.id from stored, logged
  returning event_json(events) as event
)
select
  stored.id, stored.ip::text as ip, stored.severity, stored.comment, stored.created_at, stored.expires_at,
  (select jsonb_agg(logged_event.event) from logged_event) as events
from stored
