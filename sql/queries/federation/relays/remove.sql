-- remove: deletes a relay, and records that in the audit log.
-- $1 moderator bigint
-- $2 id bigint
-- rows: one, or none when there is no such relay; follow_uri: the Follow to undo, null when
--   there is none, or the relay has rejected it
-- plan: no sequential scan
with removed as (
  delete from relays r where r.id = $2 returning r.id, r.inbox_url, r.state, r.follow_uri
), logged as materialized (
  select log_action($1::bigint, 'destroy', 'Relay', removed.id, removed.inbox_url) from removed
)
select removed.inbox_url, case when removed.state <> 'rejected' then removed.follow_uri end as follow_uri from removed, logged
