-- A trigger of status_pins and featured_tags: enqueues the Add or Remove of a status or hashtag
-- that a local account features. Not for a deleted status: its Delete is sent anyway.
create or replace function federate_featured() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.receiving', true) = 'on' or not exists (select from accounts a where a.inbox_url <> '') then
    return null;
  end if;
  perform enqueue(
    'federation.send_featured',
    json_build_object(
      'ended', tg_op = 'DELETE', 'account', c.account_id::text, 'status', to_json(c) ->> 'status_id', 'tag', to_json(c) ->> 'name'
    ),
    queue_name => 'federation.send:' || c.account_id % 16
  )
  from changed c
  join accounts a on a.id = c.account_id and a.domain is null
  where tg_table_name = 'featured_tags'
    or exists (select from statuses s where s.id = (to_json(c) ->> 'status_id')::bigint and s.deleted_at is null);
  return null;
end
$$;
