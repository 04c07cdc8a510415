-- take: the oldest activities of a lane (take_activities).
-- $1 lane integer
-- $2 amount integer
-- rows: at most the amount, in the order in which they came
-- plan: one call
select r.id, r.host, r.actor, r.body, r.recipient_id from take_activities($1, $2) r
