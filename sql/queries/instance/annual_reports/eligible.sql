-- eligible: whether an account posted enough between two ids for a report: a public or unlisted
-- status, and one with a hashtag.
-- $1 account bigint
-- $2 first bigint
-- $3 end bigint
-- rows: one
-- plan: no sequential scan
select
  exists (
    select from statuses s
    where s.account_id = $1 and s.id >= $2 and s.id < $3 and s.deleted_at is null and s.visibility in ('public', 'unlisted')
  ) and exists (
    select
    from statuses s
    join status_tags x on x.status_id = s.id
    where s.account_id = $1 and s.id >= $2 and s.id < $3 and s.deleted_at is null
  ) as eligible
