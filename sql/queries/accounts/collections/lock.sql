-- lock: serialises changes of a collection and its items.
-- $1 collection bigint
-- rows: none when it does not exist
-- plan: no sequential scan
select c.id, c.account_id, c.name, c.description, c.language, c.tag_id, c.sensitive, c.discoverable
from collections c
where c.id = $1
for no key update
