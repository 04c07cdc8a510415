-- drop_partition: drops the oldest partition of the log if all of it is old enough.
-- $1 keep_ms double precision
-- rows: one; dropped: its name, null when there is none to drop
-- plan: one call
select drop_event_partition($1 * interval '1 millisecond') as dropped
