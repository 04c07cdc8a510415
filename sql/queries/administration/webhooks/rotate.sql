-- rotate: replaces the secret of a webhook.
-- $1 moderator bigint
-- $2 id bigint
-- $3 secret text
-- rows: one, or none when there is no such webhook
-- plan: no sequential scan
with changed as (
  update webhooks w set secret = $3, updated_at = now() where w.id = $2 returning w.id, w.url
), logged as materialized (
  select log_action($1, 'rotate_secret', 'Webhook', changed.id, changed.url) from changed
)
select changed.id from changed, logged
