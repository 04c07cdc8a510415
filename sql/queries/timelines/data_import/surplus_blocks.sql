-- surplus_blocks: whom the account had blocked when the import was stored, although the file does
-- not name them.
-- $1 account bigint
-- $2 import bigint
-- $3 after bigint
-- rows: at most 200, by id
-- plan: no sequential scan
select x.target_account_id as id
from blocks x
where x.account_id = $1 and x.target_account_id > $3::bigint
  and x.created_at < (select i.created_at from imports i where i.id = $2)
  and not exists (select from import_rows r where r.import_id = $2 and r.target_id = x.target_account_id)
order by x.target_account_id
limit 200
