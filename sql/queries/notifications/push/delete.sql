-- delete: the push subscription of a token goes. Without one nothing happens.
-- $1 token bigint
-- rows: none
-- plan: no sequential scan
delete from push_subscriptions p where p.token_id = $1
