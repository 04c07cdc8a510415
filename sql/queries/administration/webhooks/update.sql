-- update: changes a webhook; a new URL resets the number of failures.
-- $1 moderator bigint
-- $2 id bigint
-- $3 url text
-- $4 events text[]
-- rows: one, or none when there is no such webhook or another one has this URL
-- plan: no sequential scan
with changed as (
  update webhooks w
  set
    url = $3, events = $4, updated_at = now(),
    failures = case when w.url = $3 then w.failures else 0 end,
    last_error = case when w.url = $3 then w.last_error end,
    last_failed_at = case when w.url = $3 then w.last_failed_at end
  where w.id = $2 and not exists (select from webhooks o where o.url = $3 and o.id <> $2)
  returning w.id, w.url
), logged as materialized (
  select log_action($1, 'update', 'Webhook', changed.id, changed.url) from changed
)
select changed.id from changed, logged
