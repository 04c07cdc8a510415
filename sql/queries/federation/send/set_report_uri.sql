-- set_report_uri: stores the URI with which a report is sent.
-- $1 report bigint
-- $2 uri text
-- rows: none
-- plan: no sequential scan
update reports r set uri = $2 where r.id = $1 and r.uri is null
