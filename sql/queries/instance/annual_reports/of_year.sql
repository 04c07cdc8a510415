-- of_year: the viewer's report of a year.
-- $1 viewer bigint
-- $2 year integer
-- rows: none or one
-- plan: no sequential scan
select r.id, r.year, r.data, r.schema_version, r.share_key
from annual_reports r
where r.account_id = $1 and r.year = $2
