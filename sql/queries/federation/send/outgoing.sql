-- outgoing: an activity that is being delivered.
-- $1 id bigint
-- rows: none when it was given up, else one
-- plan: no sequential scan
select o.sender_id, o.object, o.body, o.signing_key from outgoing_activities o where o.id = $1
