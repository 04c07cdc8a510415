-- log_action: records an action of the operator in the log of actions.
-- $1 action text
-- $2 target_type text
-- $3 target bigint
-- $4 name text
-- rows: one
-- plan: rows are inserted, none are read
select log_action(null, $1, $2, $3::bigint, $4) as entry
