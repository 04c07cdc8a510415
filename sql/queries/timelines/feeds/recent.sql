-- recent: the newest statuses of all accounts with their authors, from one index.
-- $1 limit integer
-- rows: one; ids: newest first; accounts: the author of each; both null when there is none
-- plan: reads `limit` statuses by their key
-- 50,000 statuses: 30 to 50 ms. The subquery is ordered, so the arrays are; sorting in them took
-- twice as long as all else.
select array_agg(recent.id) as ids, array_agg(recent.account_id) as accounts
from (
  select s.id, s.account_id
  from statuses s
  where s.deleted_at is null
  order by s.id desc
  limit $1::integer
) recent
