-- oldest: the oldest activities of a lane (oldest_activities).
-- $1 lane integer
-- $2 limit integer
-- rows: at most the limit, in the order in which they came
-- plan: one call
select r.id, r.host, r.actor, r.body, r.recipient_id from oldest_activities($1, $2) r
