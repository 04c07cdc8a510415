-- drop: a push subscription goes because its endpoint is gone. One that was made anew meanwhile, for another endpoint, stays.
-- $1 subscription bigint
-- $2 endpoint text
-- rows: none
-- plan: no sequential scan
delete from push_subscriptions p where p.id = $1 and p.endpoint = $2
