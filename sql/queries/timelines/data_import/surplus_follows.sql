-- surplus_follows: whom the account follows, or asked to, although the file does not name them.
-- $1 account bigint
-- $2 import bigint
-- $3 after bigint
-- rows: at most 200, by id
-- plan: no sequential scan
select x.id
from (
  select f.target_account_id as id from follows f where f.account_id = $1
  union
  select r.target_account_id from follow_requests r where r.account_id = $1
) x
where x.id > $3::bigint
  and not exists (select from import_rows r where r.import_id = $2 and r.target_id = x.id)
order by x.id
limit 200
