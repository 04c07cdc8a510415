-- add: stores a relay whose Follow is pending, and records that in the audit log.
-- $1 moderator bigint
-- $2 inbox_url text
-- $3 host text
-- $4 follow_uri text
-- rows: one, or none when there is a relay with this inbox
-- plan: no sequential scan
with created as (
  insert into relays (inbox_url, host, state, follow_uri) values ($2, $3, 'pending', $4)
  on conflict (inbox_url) do nothing
  returning relays.id, relays.inbox_url
), logged as materialized (
  select log_action($1::bigint, 'create', 'Relay', created.id, created.inbox_url) from created
)
select created.id from created, logged
