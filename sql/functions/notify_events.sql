-- The trigger of events: notifies the readers of the log. The payload is empty, because equal
-- payloads of one transaction are merged, and the events are read from the log.
create or replace function notify_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('events', '');
  return null;
end
$$;
