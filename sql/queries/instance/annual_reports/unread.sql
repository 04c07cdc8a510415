-- unread: the viewer's unread yearly reports, latest first.
-- $1 viewer bigint
-- rows: one a report
-- plan: no sequential scan
select r.id, r.year, r.data, r.schema_version, r.share_key
from annual_reports r
where r.account_id = $1 and r.viewed_at is null
order by r.year desc
