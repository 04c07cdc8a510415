-- years: the years for which a report exists.
-- $1 ids bigint[]
-- rows: one a report
-- plan: no sequential scan
select r.id, r.year from annual_reports r where r.id = any ((select $1::bigint[])::bigint[])
