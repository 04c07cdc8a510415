-- owns_list: whether this list is the viewer's.
-- $1 viewer bigint
-- $2 list bigint
-- rows: the list, or none
-- plan: no sequential scan, at most 8 buffers
select l.id from lists l where l.id = $2 and l.account_id = $1
