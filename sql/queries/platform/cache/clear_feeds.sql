-- clear_feeds: makes every running server clear the feeds of an account, which are rebuilt on
-- demand, and records it in the audit log.
-- $1 moderator bigint
-- $2 account bigint
-- rows: one, or none when no such account has a user
-- plan: no sequential scan
with found as materialized (
  select a.id, a.username from accounts a where a.id = $2 and exists (select from users u where u.account_id = a.id)
), recorded as materialized (
  select log_action($1::bigint, 'build_feeds', 'Account', found.id, found.username) from found
), logged as (
  insert into events (kind, account_id, data) select 'caches.cleared', found.id, '{"change": "feeds"}' from found
  returning event_json(events) as event
)
select found.id, (select count(*) from recorded) as recorded, (select jsonb_agg(logged.event) from logged) as events
from found
