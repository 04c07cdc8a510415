-- A trigger of follows: updates counters, and removes the notifications and endorsements of removed
-- follows. The accounts may be deleted in the same transaction: then there is nothing to count.
create or replace function clean_up_follows() returns trigger language plpgsql as $$
begin
  with change as (
    select one.account_id, sum(one.following) as following, sum(one.followers) as followers
    from (
      select removed.account_id, 1 as following, 0 as followers from removed
      union all
      select removed.target_account_id, 0, 1 from removed
    ) one
    group by one.account_id
  ), held as materialized (
    select s.account_id from account_stats s join change on change.account_id = s.account_id
    order by s.account_id
    for no key update of s
  )
  update account_stats s
  set following_count = s.following_count - change.following, followers_count = s.followers_count - change.followers
  from held
  join change on change.account_id = held.account_id
  where s.account_id = held.account_id;
  delete from notifications n using removed
  where n.account_id = removed.target_account_id and n.from_account_id = removed.account_id
    and n.type = 'follow' and n.activity_id = removed.id;
  delete from endorsements e using removed
  where e.account_id = removed.account_id and e.target_account_id = removed.target_account_id;
  return null;
end
$$;
