-- list_notes: the newest notes about an account or a report, oldest first.
-- $1 account bigint
-- $2 report bigint
-- rows: at most 500
-- plan: no sequential scan of moderation_notes
select newest.id, newest.author_id, newest.author, newest.content, newest.created_at
from (
  select n.id, n.account_id as author_id, handle_of(a) as author, n.content, n.created_at
  from moderation_notes n
  left join accounts a on a.id = n.account_id
  where n.target_account_id = $1::bigint
  union all
  select n.id, n.account_id, handle_of(a), n.content, n.created_at
  from moderation_notes n
  left join accounts a on a.id = n.account_id
  where n.report_id = $2::bigint
  order by id desc
  limit 500
) newest
order by newest.id
