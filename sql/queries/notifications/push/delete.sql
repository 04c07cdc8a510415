-- delete: removes the push subscription of a token. Has no effect without one.
-- $1 token bigint
-- rows: none
-- plan: no sequential scan
delete from push_subscriptions p where p.token_id = $1
