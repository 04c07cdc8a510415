-- delete: removes a webhook; its pending deliveries then do nothing.
-- $1 moderator bigint
-- $2 id bigint
-- rows: one, or none when there is no such webhook
-- plan: no sequential scan
with removed as (
  delete from webhooks w where w.id = $2 returning w.id, w.url
), logged as materialized (
  select log_action($1, 'destroy', 'Webhook', removed.id, removed.url) from removed
)
select removed.id from removed, logged
