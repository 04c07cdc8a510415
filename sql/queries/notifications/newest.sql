-- newest: the id of the latest notification of the viewer.
-- $1 viewer bigint
-- rows: none when there is none, else one
-- plan: no sequential scan
select n.id from notifications n where n.account_id = $1 order by n.id desc limit 1
