-- create: stores a new webhook.
-- $1 creator bigint
-- $2 url text
-- $3 events text[]
-- $4 secret text
-- rows: one, or none when there is a webhook with this URL
-- plan: no sequential scan
with created as (
  insert into webhooks (url, events, secret, created_by) values ($2, $3, $4, $1)
  on conflict (url) do nothing
  returning webhooks.id, webhooks.url
), logged as materialized (
  select log_action($1, 'create', 'Webhook', created.id, created.url) from created
)
select created.id from created, logged
