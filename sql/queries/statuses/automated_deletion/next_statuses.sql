-- next_statuses: takes the policy that waits longest, inspects the next old statuses of its account
-- and returns those to delete. At the end of a round the policy waits for an hour;
-- one that waits longer was recorded before the clock was set back.
-- $1 limit integer
-- rows: none when no policy is due, else one; at most $1 to delete, of 20 times as many
--   inspected, since those that are kept cost a few look-ups only
-- plan: no sequential scan
with policy as materialized (
  select p.*
  from automated_deletion_policies p
  join accounts a on a.id = p.account_id
  where p.enabled and (p.next_run_at <= now() or p.next_run_at > now() + interval '2 hours') and a.suspended_at is null and a.deletion_requested_at is null
  order by p.next_run_at
  limit 1
  for update of p skip locked
), inspected as materialized (
  select s.*
  from policy
  cross join lateral (
    select o.id, o.account_id, o.visibility, o.media_attachment_ids, o.content_kinds
    from statuses o
    where o.account_id = policy.account_id and o.deleted_at is null and o.id > policy.inspected_status_id
      and o.id < (extract(epoch from now() - make_interval(days => policy.min_age_days)) * 1000)::bigint << 16
    order by o.id
    limit (select $1::integer * 20)
  ) s
), doomed as materialized (
  select i.id
  from inspected i
  join policy p on p.account_id = i.account_id
  left join status_stats c on c.status_id = i.id
  where not (p.keep_direct and i.visibility = 'direct')
    and not (p.keep_media and i.media_attachment_ids <> '{}')
    and not (p.keep_polls and i.content_kinds @> '{poll}')
    and not (p.keep_pinned and exists (select from status_pins x where x.account_id = i.account_id and x.status_id = i.id offset 0))
    and not (
      p.keep_own_favourites
      and exists (select from favourites x where x.account_id = i.account_id and x.status_id = i.id offset 0)
    )
    and not (
      p.keep_own_bookmarks
      and exists (select from bookmarks x where x.account_id = i.account_id and x.status_id = i.id offset 0)
    )
    and (p.min_favourites is null or coalesce(c.favourites_count, 0) < p.min_favourites)
    and (p.min_reblogs is null or coalesce(c.reblogs_count, 0) < p.min_reblogs)
  order by i.id
  limit $1::integer
), done as (
  select case
    when (select count(*) from doomed) = $1::integer then (select max(d.id) from doomed d)
    when (select count(*) from inspected) = $1::integer * 20 then (select max(i.id) from inspected i)
  end as last
), progress as (
  update automated_deletion_policies p
  set inspected_status_id = coalesce(done.last, 0),
    next_run_at = case when done.last is not null then clock_timestamp() else now() + interval '1 hour' end
  from policy, done
  where p.account_id = policy.account_id
)
select policy.account_id, array(select doomed.id from doomed order by doomed.id) as ids
from policy
