-- A trigger of notifications: adds a new one to its group.
create or replace function join_notification_group() returns trigger language plpgsql as $$
begin
  insert into notification_groups as g (account_id, group_key, type, newest_id, oldest_id, members)
  select n.account_id, n.group_key, n.type, n.id, n.id, 1 from notifications n where n.id = new.id
  on conflict (account_id, group_key) do update
  set newest_id = greatest(g.newest_id, excluded.newest_id), oldest_id = least(g.oldest_id, excluded.oldest_id),
    members = g.members + 1;
  return null;
end
$$;
