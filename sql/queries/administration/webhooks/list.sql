-- list: the webhooks, newest first.
-- rows: one for each
-- plan: all of a small table
select
  w.id, w.url, w.events, w.secret, w.enabled, w.created_by, w.failures, w.last_error, w.last_failed_at, w.created_at, w.updated_at
from webhooks w
order by w.id desc
