-- read: marks the report of a year as read by the viewer.
-- $1 viewer bigint
-- $2 year integer
-- rows: none when there is no such report, else one
-- plan: no sequential scan
update annual_reports r set viewed_at = coalesce(r.viewed_at, now()) where r.account_id = $1 and r.year = $2 returning r.id
