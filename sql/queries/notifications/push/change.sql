-- change: replaces the settings of a token's push subscription.
-- $1 token bigint
-- $2 alerts jsonb
-- $3 policy text
-- rows: none when there is none, else one
-- plan: no sequential scan
update push_subscriptions p set alerts = $2, policy = $3, updated_at = now()
where p.token_id = $1
returning p.id, p.endpoint, p.standard, p.alerts, p.policy
