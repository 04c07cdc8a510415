-- A trigger of polls: enqueues the Update with the result of a local poll that has ended.
create or replace function federate_poll_end() returns trigger language plpgsql as $$
begin
  if exists (select from accounts a where a.inbox_url <> '')
    and exists (select from statuses s where s.id = new.status_id and s.local)
  then
    perform enqueue('federation.send_poll', json_build_object('status', new.status_id::text));
  end if;
  return null;
end
$$;
