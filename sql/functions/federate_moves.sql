-- A trigger of account_migrations: enqueues the Move of a local account.
create or replace function federate_moves() returns trigger language plpgsql as $$
begin
  if (exists (select from accounts a where a.inbox_url <> '') or exists (select from relays r where r.state = 'accepted'))
    and exists (select from accounts a where a.id = new.account_id and a.domain is null)
  then
    perform enqueue(
      'federation.send_move', json_build_object('migration', new.id::text), queue_name => 'federation.send:' || new.account_id % 16
    );
  end if;
  return null;
end
$$;
