-- make_partition: makes the log's partition of an hour from now on, if it is missing.
-- $1 ahead integer: hours; 0 is the current one
-- rows: one
-- plan: one call
select make_event_partition($1) as made
