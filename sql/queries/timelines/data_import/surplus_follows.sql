-- surplus_follows: whom the account followed, or had asked to, when the import was stored, although
-- the file does not name them. Not a request that was accepted meanwhile: that made a new row.
-- $1 account bigint
-- $2 import bigint
-- $3 after bigint
-- rows: at most 200, by id
-- plan: no sequential scan
select x.id
from (
  select f.target_account_id as id, f.created_at from follows f where f.account_id = $1
  union all
  select r.target_account_id, r.created_at from follow_requests r where r.account_id = $1
) x
where x.id > $3::bigint
  and x.created_at < (select i.created_at from imports i where i.id = $2)
  and not exists (select from import_rows r where r.import_id = $2 and r.target_id = x.id)
order by x.id
limit 200
