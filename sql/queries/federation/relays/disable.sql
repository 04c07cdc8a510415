-- disable: sets a relay to idle, and records that in the audit log.
-- $1 moderator bigint
-- $2 id bigint
-- rows: none when there is no such relay, or it is idle; else one; follow_uri: the Follow to undo,
--   null when the relay has rejected it
-- plan: no sequential scan
with relay as materialized (
  select r.id, r.state, r.follow_uri from relays r where r.id = $2 and r.state <> 'idle' for update
), changed as (
  update relays r set state = 'idle', follow_uri = null, actor_uri = null, changed_at = now()
  from relay
  where r.id = relay.id
  returning r.id, r.inbox_url, relay.state, relay.follow_uri
), logged as materialized (
  select log_action($1::bigint, 'disable', 'Relay', changed.id, changed.inbox_url) from changed
)
select changed.inbox_url, case when changed.state <> 'rejected' then changed.follow_uri end as follow_uri from changed, logged
