-- enable: enables or disables a webhook.
-- $1 moderator bigint
-- $2 id bigint
-- $3 enabled boolean
-- rows: one, or none when there is no such webhook or nothing changes
-- plan: no sequential scan
with changed as (
  update webhooks w set enabled = $3, updated_at = now() where w.id = $2 and w.enabled <> $3
  returning w.id, w.url
), logged as materialized (
  select log_action($1, case when $3 then 'enable' else 'disable' end, 'Webhook', changed.id, changed.url) from changed
)
select changed.id from changed, logged
