-- unsubscribe: removes a push subscription by the link that its push service received, unless it
-- was renewed for another endpoint.
-- $1 subscription bigint
-- $2 endpoint_hash bytea
-- rows: none
-- plan: no sequential scan
delete from push_subscriptions p where p.id = $1 and sha256(convert_to(p.endpoint, 'UTF8')) = $2
