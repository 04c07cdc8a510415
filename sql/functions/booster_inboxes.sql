-- The inboxes of followers of local accounts that have boosted a public or unlisted local status,
-- each once; of the first hundred of these accounts, also when their boosts are deleted. Their
-- servers have fetched the status, and learn by these of its edits and its deletion. Accounts that
-- the author has blocked, and unavailable servers, are left out as in status_inboxes.
-- A follower of several of them is checked once: the hundred may have millions of followers.
create or replace function booster_inboxes(status bigint) returns setof text
language sql stable as $$
  with reached as materialized (
    select distinct f.account_id
    from statuses s
    cross join lateral (
      select b.account_id from statuses b where b.reblog_of_id = s.id and b.local order by b.id limit 100
    ) booster
    join follows f on f.target_account_id = booster.account_id
    where s.id = status and s.visibility in ('public', 'unlisted')
  )
  select distinct i.inbox
  from reached
  join reachable_inboxes() i on i.account_id = reached.account_id
  join statuses s on s.id = status
  where not exists (
      select from blocks b
      where b.account_id = s.account_id and b.target_account_id = i.account_id and (s.deleted_at is null or b.created_at < s.created_at)
    )
    and not exists (
      select from account_domain_blocks d
      where d.account_id = s.account_id and d.domain = i.domain and (s.deleted_at is null or d.created_at < s.created_at)
    )
$$;
