-- shared: the report of a year, for anybody with its key.
-- $1 account bigint
-- $2 year integer
-- $3 share_key text
-- rows: none or one
-- plan: no sequential scan
select r.data
from annual_reports r
where r.account_id = $1 and r.year = $2 and r.share_key = $3
