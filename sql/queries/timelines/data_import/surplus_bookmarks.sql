-- surplus_bookmarks: what the account had bookmarked when the import was stored, although the file
-- does not name it.
-- $1 account bigint
-- $2 import bigint
-- $3 after bigint
-- rows: at most 200, by id
-- plan: no sequential scan
select x.status_id as id
from bookmarks x
where x.account_id = $1 and x.status_id > $3::bigint
  and x.created_at < (select i.created_at from imports i where i.id = $2)
  and not exists (select from import_rows r where r.import_id = $2 and r.target_id = x.status_id)
order by x.status_id
limit 200
