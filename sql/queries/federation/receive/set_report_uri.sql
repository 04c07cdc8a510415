-- set_report_uri: stores the URI of a report by another server.
-- $1 report bigint
-- $2 uri text
-- rows: none
-- plan: one row by key
update reports r set uri = $2 where r.id = $1
