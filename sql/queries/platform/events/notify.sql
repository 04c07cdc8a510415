-- notify: notifies all readers of the log.
-- $1 sender text: the process that notifies, which has read on already
-- rows: one, without columns of interest
-- plan: one call
select from pg_notify('events', $1)
