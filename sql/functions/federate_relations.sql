-- A trigger of follows, follow_requests and blocks: enqueues the activity for a change between a
-- local and a remote account. Changes that a remote activity makes (millrace.receiving) are not
-- sent back.
create or replace function federate_relations() returns trigger language plpgsql as $$
begin
  if current_setting('millrace.receiving', true) = 'on' then
    return null;
  end if;
  perform enqueue(
    'federation.send_relation',
    json_build_object(
      'table', tg_table_name, 'ended', tg_op = 'DELETE', 'id', c.id::text, 'account', c.account_id::text,
      'target', c.target_account_id::text, 'uri', to_json(c) ->> 'uri',
      'accepted', exists (
        select from follows f where f.account_id = c.account_id and f.target_account_id = c.target_account_id
      )
    ),
    queue_name => 'federation.send:' || (c.account_id + c.target_account_id) % 16
  )
  from changed c
  join accounts a on a.id = c.account_id
  join accounts t on t.id = c.target_account_id
  where (a.domain is null) <> (t.domain is null)
    and case when a.domain is null then t.inbox_url <> '' else a.inbox_url <> '' and tg_op = 'DELETE' and tg_table_name <> 'blocks' end;
  return null;
end
$$;
