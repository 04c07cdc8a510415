-- store_counts: stores how many followers, followed accounts and statuses of an account of another
-- server only its server knows: the counts of that server less the known ones. A follow that was
-- just made may be known here alone, so less than zero is zero; but statuses that retention has
-- removed still count as known, so their difference may be negative, unless the other server counts
-- none, as some do that have no list. Counts that are null stay as they are. Also stores whether
-- that server hides who follows the account and whom it follows, so that this one hides it, too.
-- $1 account bigint
-- $2 followers integer
-- $3 following integer
-- $4 statuses integer
-- $5 hides boolean: null while it is unknown
-- rows: none when nothing has changed, else one
-- plan: no sequential scan
with counted as (
  insert into account_stats as c (account_id, followers_elsewhere, following_elsewhere, statuses_elsewhere)
  select a.id, coalesce($2::integer, 0), coalesce($3::integer, 0), coalesce($4::integer, 0)
  from accounts a
  where a.id = $1 and a.domain is not null and a.deletion_requested_at is null
    and (greatest($2, $3, $4) > 0 or exists (select from account_stats known where known.account_id = a.id))
  on conflict (account_id) do update
    set followers_elsewhere = greatest(0, coalesce($2 - c.followers_count, c.followers_elsewhere)),
      following_elsewhere = greatest(0, coalesce($3 - c.following_count, c.following_elsewhere)),
      statuses_elsewhere = coalesce(case when $4 = 0 then 0 else $4 - c.statuses_count end, c.statuses_elsewhere)
    where (c.followers_elsewhere, c.following_elsewhere, c.statuses_elsewhere) <> (
      greatest(0, coalesce($2 - c.followers_count, c.followers_elsewhere)),
      greatest(0, coalesce($3 - c.following_count, c.following_elsewhere)),
      coalesce(case when $4 = 0 then 0 else $4 - c.statuses_count end, c.statuses_elsewhere)
    )
  returning c.account_id
), hidden as (
  update accounts a set hide_collections = $5
  where a.id = $1 and a.domain is not null and a.deletion_requested_at is null and coalesce(a.hide_collections, false) <> $5::boolean
  returning a.id
), changed as materialized (
  select counted.account_id as id, '{"change": "counts"}'::jsonb as change from counted
  union all
  select hidden.id, '{"change": "profile"}' from hidden
), logged as (
  insert into events (kind, account_id, data) select 'account.changed', changed.id, changed.change from changed
  returning event_json(events) as event
)
select changed.id, (select jsonb_agg(logged.event) from logged) as events from changed limit 1
