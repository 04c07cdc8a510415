-- disable: nothing is exchanged with a relay any more; that is recorded in the log of actions.
-- $1 moderator bigint
-- $2 id bigint
-- rows: one, or none when there is no such relay, or it is idle; follow_uri: what is to be undone,
-- null when the relay has refused
-- plan: no sequential scan
with before as materialized (
  select r.id, r.state, r.follow_uri from relays r where r.id = $2 and r.state <> 'idle' for update
), changed as (
  update relays r set state = 'idle', follow_uri = null, actor_uri = null, changed_at = now()
  from before
  where r.id = before.id
  returning r.id, r.inbox_url, before.state, before.follow_uri
), logged as materialized (
  select log_action($1::bigint, 'disable', 'Relay', changed.id, changed.inbox_url) from changed
)
select changed.inbox_url, case when changed.state <> 'rejected' then changed.follow_uri end as follow_uri from changed, logged
