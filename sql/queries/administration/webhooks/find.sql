-- find: the webhook with this id.
-- $1 id bigint
-- rows: one, or none when there is no such webhook
-- plan: no sequential scan
select
  w.id, w.url, w.events, w.secret, w.enabled, w.created_by, w.failures, w.last_error, w.last_failed_at, w.created_at, w.updated_at
from webhooks w
where w.id = $1
