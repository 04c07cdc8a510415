-- tell: lets all readers of the log look for new events.
-- rows: one, with nothing in it
select from pg_notify('events', '')
