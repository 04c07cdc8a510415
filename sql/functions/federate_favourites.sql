-- A trigger of favourites: enqueues the Like of a remote status by a local account, or its Undo.
create or replace function federate_favourites() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.receiving', true) = 'on' then
    return null;
  end if;
  perform enqueue(
    'federation.send_like',
    json_build_object('ended', tg_op = 'DELETE', 'id', c.id::text, 'account', c.account_id::text, 'status', c.status_id::text),
    queue_name => 'federation.send:' || (c.account_id + c.status_id) % 16
  )
  from changed c
  join statuses s on s.id = c.status_id and not s.local
  join accounts a on a.id = c.account_id and a.domain is null;
  return null;
end
$$;
