-- subject: the subject of a report: the account with the statuses, collections and rules that may
-- be named. The account is locked, so that the second of two simultaneous reports about it sees the
-- first.
-- $1 reporter bigint
-- $2 target bigint
-- $3 statuses bigint[]
-- $4 collections bigint[]
-- $5 rules bigint[]
-- rows: none when the account does not exist, else one; statuses, collections, rules: how many of
--   the named ones exist, removed rules included; answered: the other servers of the accounts that
--   the statuses reply to
-- plan: no sequential scan of statuses, accounts
select
  a.domain,
  (
    select count(*) from visible_statuses_ever($1) s where s.id = any ((select $3::bigint[])::bigint[]) and s.account_id = a.id
  )::integer as statuses,
  (select count(*) from collections o where o.id = any ((select $4::bigint[])::bigint[]) and o.account_id = a.id)::integer as collections,
  (select count(*) from rules r where r.id = any ((select $5::bigint[])::bigint[]))::integer as rules,
  array(
    select distinct o.domain
    from statuses s
    join accounts o on o.id = s.in_reply_to_account_id
    where s.id = any ((select $3::bigint[])::bigint[]) and o.domain is not null
    order by o.domain
  ) as answered
from accounts a
where a.id = $2 and a.suspended_at is null and not a.pending and a.deletion_requested_at is null
for no key update of a
