-- tell: notifies all readers of the log.
-- rows: one, without columns of interest
-- plan: one call
select from pg_notify('events', '')
