-- years: the years of reports.
-- $1 ids bigint[]
-- rows: one a report that is there
-- plan: no sequential scan
select r.id, r.year from annual_reports r where r.id = any ($1::bigint[])
