-- newest_of: the newest statuses of an account and the newest boosts of these by others; without
-- those that go to mentioned people alone.
-- $1 account bigint
-- $2 limit integer
-- rows: one for each such status, at most `limit` of both kinds
-- plan: no sequential scan
with own as materialized (
  select s.id
  from statuses s
  where s.account_id = $1 and s.deleted_at is null and s.visibility in ('public', 'unlisted', 'private')
  order by s.id desc
  limit $2::integer
), boosts as (
  select b.id
  from own
  cross join lateral (
    select p.id
    from statuses p
    where p.reblog_of_id = own.id and p.deleted_at is null and p.account_id <> $1
    order by p.id desc
    limit $2
  ) b
  order by b.id desc
  limit $2
)
select own.id from own
union all
select boosts.id from boosts
