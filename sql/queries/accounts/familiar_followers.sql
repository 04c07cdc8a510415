-- familiar_followers: the followers of these accounts that the viewer follows. Omits accounts that
-- hide their follows.
-- $1 viewer bigint
-- $2 ids bigint[]
-- $3 limit integer
-- rows: one for each of these accounts whose followers may be shown, in the order given;
--   follower_ids: newest follow first
-- plan: no sequential scan
-- The bound is outside: for its sake PostgreSQL would read all followers of an account by their
-- age, where those that the viewer follows are few.
select a.id, array(
  select familiar.account_id
  from (
    select f.id, f.account_id
    from follows f
    join follows own on own.account_id = $1 and own.target_account_id = f.account_id
    join accounts o on o.id = f.account_id
    where f.target_account_id = a.id and a.hide_collections is not true and o.hide_collections is not true
      and o.suspended_at is null and o.deletion_requested_at is null and not o.pending
    offset 0
  ) familiar
  order by familiar.id desc
  limit $3::integer
) as follower_ids
from unnest((select $2::bigint[])) with ordinality given (id, position)
join accounts a on a.id = given.id
where not a.pending and a.suspended_at is null and a.deletion_requested_at is null
order by given.position
