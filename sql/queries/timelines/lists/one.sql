-- one: a list of the viewer.
-- $1 viewer bigint
-- $2 list bigint
-- rows: none when the viewer has no such list
-- plan: no sequential scan
select l.id, l.title, l.replies_policy, l.exclusive from lists l where l.id = $2 and l.account_id = $1
