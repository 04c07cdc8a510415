-- states: the states of the quotes in these statuses, and in the statuses that those quote, for the
-- viewer (null: anonymous). An accepted quote may be deleted, hidden from the viewer, or unwanted
-- by the viewer, in this order; the author of the quoted status gets the first at most. `= any
-- (array(…))` keeps the plan one of index look-ups, as in statuses/viewer_state.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: one for each status with a quote; quoted_status_id is null when the quoted status is
--   deleted or not visible
-- plan: no sequential scan
with quoting as materialized (
  select q.status_id, q.quoted_status_id, q.quoted_account_id, q.state from quotes q where q.status_id = any ((select $2::bigint[])::bigint[])
  union
  select n.status_id, n.quoted_status_id, n.quoted_account_id, n.state
  from quotes q
  join quotes n on n.status_id = q.quoted_status_id
  where q.status_id = any ((select $2::bigint[])::bigint[])
), visible as materialized (
  select s.id from visible_statuses($1) s where s.id = any (array(select quoting.quoted_status_id from quoting))
)
select
  q.status_id,
  visible.id as quoted_status_id,
  case
    when q.state <> 'accepted' then q.state
    when not exists (select from statuses s where s.id = q.quoted_status_id and s.deleted_at is null) then 'deleted'
    when visible.id is null then 'unauthorized'
    when $1::bigint is null or q.quoted_account_id = $1 then 'accepted'
    when exists (
      select from accounts a
      join account_domain_blocks d on d.account_id = $1 and d.domain = a.domain
      where a.id = q.quoted_account_id
    ) then 'blocked_domain'
    when exists (select from blocks b where b.account_id = $1 and b.target_account_id = q.quoted_account_id) then 'blocked_account'
    when exists (
      select from mutes m
      where m.account_id = $1 and m.target_account_id = q.quoted_account_id and (m.expires_at is null or m.expires_at > now())
    ) then 'muted_account'
    else 'accepted'
  end as state
from quoting q
left join visible on visible.id = q.quoted_status_id
