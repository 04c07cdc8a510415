-- dismiss: deletes one notification of the viewer.
-- $1 viewer bigint
-- $2 notification bigint
-- rows: none when the viewer has no such notification
-- plan: no sequential scan
delete from notifications n where n.account_id = $1 and n.id = $2 returning n.id
