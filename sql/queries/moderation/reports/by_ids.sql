-- by_ids: the data of report entities.
-- $1 ids bigint[]
-- rows: one for each report that exists
-- plan: no sequential scan
select
  r.id, r.target_account_id, r.action_taken_at, r.category, r.comment, r.forwarded, r.created_at, r.status_ids, r.rule_ids, r.collection_ids
from reports r
where r.id = any ((select $1::bigint[])::bigint[])
