-- A trigger of follows: counts new ones. Each account's row is updated once, in the order of the
-- accounts, so that two transactions cannot deadlock.
create or replace function count_follows() returns trigger language plpgsql as $$
begin
  insert into account_stats as s (account_id, following_count, followers_count)
  select change.account_id, sum(change.following), sum(change.followers)
  from (
    select created.account_id, 1 as following, 0 as followers from created
    union all
    select created.target_account_id, 0, 1 from created
  ) change
  group by change.account_id
  order by change.account_id
  on conflict (account_id) do update
  set following_count = s.following_count + excluded.following_count,
    followers_count = s.followers_count + excluded.followers_count;
  return null;
end
$$;
