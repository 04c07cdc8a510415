-- enable: sets an idle or rejected relay to pending, and records that in the audit log.
-- $1 moderator bigint
-- $2 id bigint
-- $3 follow_uri text
-- rows: one, or none when there is no such relay
-- plan: no sequential scan
with changed as (
  update relays r set state = 'pending', follow_uri = $3, actor_uri = null, changed_at = now()
  where r.id = $2 and r.state in ('idle', 'rejected')
  returning r.id, r.inbox_url
), logged as materialized (
  select log_action($1::bigint, 'enable', 'Relay', changed.id, changed.inbox_url) from changed
)
select changed.inbox_url from changed, logged
