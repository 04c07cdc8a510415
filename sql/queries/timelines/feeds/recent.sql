-- recent: the newest statuses of all accounts with their authors, from one index.
-- $1 limit integer
-- rows: one; ids: oldest first; accounts: the author of each
-- plan: reads `limit` statuses by their key
with recent as materialized (
  select s.id, s.account_id
  from statuses s
  where s.deleted_at is null
  order by s.id desc
  limit $1::integer
)
select
  array(select recent.id from recent order by recent.id) as ids,
  array(select recent.account_id from recent order by recent.id) as accounts
