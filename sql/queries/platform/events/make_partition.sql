-- make_partition: creates the log's partition of a future hour, if it does not exist.
-- $1 ahead integer: hours; 0 is the current one
-- rows: one
-- plan: one call
select make_event_partition($1) as made
