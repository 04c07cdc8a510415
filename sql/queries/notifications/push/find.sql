-- find: the push subscription of a token.
-- $1 token bigint
-- rows: none when there is none, else one
-- plan: no sequential scan
select p.id, p.endpoint, p.standard, p.alerts, p.policy from push_subscriptions p where p.token_id = $1
