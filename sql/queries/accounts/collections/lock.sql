-- lock: one at a time changes a collection and what is in it.
-- $1 collection bigint
-- rows: none when there is none
-- plan: no sequential scan
select c.id, c.account_id, c.name, c.description, c.language, c.tag_id, c.sensitive, c.discoverable
from collections c
where c.id = $1
for no key update
