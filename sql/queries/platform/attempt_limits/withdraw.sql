-- withdraw: removes a counted attempt.
-- $1 name text
-- $2 key text
-- $3 hour timestamptz
-- rows: none
-- plan: no sequential scan
update rate_counters set amount = rate_counters.amount - 1
where rate_counters.name = $1 and rate_counters.key = $2 and rate_counters.window_start = $3 and rate_counters.amount > 0
