-- The trigger of events: wakes the readers of the log. Equal payloads of one transaction are merged, and what happened is read from the
-- log, so the payload is empty.
create or replace function notify_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('events', '');
  return null;
end
$$;
