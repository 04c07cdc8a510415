-- find: a collection, and whether the viewer may see it.
-- $1 viewer bigint
-- $2 collection bigint
-- rows: none when it does not exist or its curator is hidden from everybody; visible: false when
--   the curator blocks the viewer
-- plan: no sequential scan
select c.id, c.account_id, exists (select from visible_collections($1) v where v.id = c.id) as visible
from visible_collections(null) c
where c.id = $2
