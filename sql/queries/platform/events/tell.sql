-- tell: lets all readers of the log look for new events.
-- rows: one, with nothing in it
-- plan: one call
select from pg_notify('events', '')
