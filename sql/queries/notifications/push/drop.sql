-- drop: removes a push subscription whose endpoint no longer exists. One that was renewed meanwhile
-- for another endpoint stays.
-- $1 subscription bigint
-- $2 endpoint text
-- rows: none
-- plan: no sequential scan
delete from push_subscriptions p where p.id = $1 and p.endpoint = $2
