-- store_signed_body: stores the signed body of an outgoing activity.
-- $1 id bigint
-- $2 body text
-- rows: none
-- plan: no sequential scan
update outgoing_activities o set body = $2 where o.id = $1
