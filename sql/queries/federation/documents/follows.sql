-- follows: a page of the accounts that follow a local account, or that it follows; newest first.
-- $1 account bigint
-- $2 followers boolean
-- $3 offset integer
-- rows: at most 12; uri is empty for local accounts
-- plan: no sequential scan
select page.id, page.uri
from (
  (
    select a.id, case when a.domain is null then '' else a.uri end as uri, f.id as follow_id
    from follows f
    join accounts a on a.id = f.account_id
    where f.target_account_id = $1 and $2::boolean and a.suspended_at is null
    order by f.id desc
    limit 12 offset $3::integer
  )
  union all
  (
    select a.id, case when a.domain is null then '' else a.uri end, f.id
    from follows f
    join accounts a on a.id = f.target_account_id
    where f.account_id = $1 and not $2::boolean and a.suspended_at is null
    order by f.id desc
    limit 12 offset $3::integer
  )
) page
order by page.follow_id desc
