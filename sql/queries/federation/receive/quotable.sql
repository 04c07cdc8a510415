-- quotable: a local status that a remote account requests to quote, and whether its author's policy
-- allows that.
-- $1 requester bigint
-- $2 status bigint
-- rows: none when it is not public or unlisted, a boost, or not local
-- plan: no sequential scan
select
  s.id, s.account_id,
  (
    s.quote_approval_policy = 'public'
    or (
      s.quote_approval_policy = 'followers'
      and exists (select from follows f where f.account_id = $1 and f.target_account_id = s.account_id)
    )
  ) and not exists (
    select from blocks b where b.account_id = s.account_id and b.target_account_id = $1
  ) and not exists (
    select
    from accounts a
    join account_domain_blocks d on d.account_id = s.account_id and d.domain = a.domain
    where a.id = $1
  ) as allowed
from statuses s
where s.id = $2 and s.local and s.deleted_at is null and s.reblog_of_id is null and s.visibility in ('public', 'unlisted')
