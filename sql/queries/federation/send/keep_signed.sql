-- keep_signed: keeps the signed text of an activity that is being delivered.
-- $1 id bigint
-- $2 body text
-- rows: none
-- plan: no sequential scan
update outgoing_activities o set body = $2 where o.id = $1
