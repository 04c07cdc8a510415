-- As notify_all, for one notification. Returns the event, or null when there is none.
create or replace function notify(recipient bigint, originator bigint, type text, status bigint, activity bigint) returns jsonb
language sql as $$
  select notify_all(array[recipient], array[originator], type, array[status], array[activity]) -> 0
$$;
