-- forwarding_accounts: the local accounts whose followers may have received a public or unlisted
-- remote status: the account that it replies to, and accounts that have boosted it.
-- $1 status bigint
-- rows: one an account, at most 100
-- plan: no sequential scan
select a.id
from statuses s
join accounts a on a.domain is null and (
  a.id = s.in_reply_to_account_id
  or a.id = any (array(select b.account_id from statuses b where b.reblog_of_id = s.id and b.deleted_at is null limit 100))
)
where s.id = $1 and not s.local and s.visibility in ('public', 'unlisted')
limit 100
