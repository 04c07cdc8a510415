-- all: the viewer's lists, oldest first.
-- $1 viewer bigint
-- rows: one a list
-- plan: no sequential scan
select l.id, l.title, l.replies_policy, l.exclusive from lists l where l.account_id = $1 order by l.id
