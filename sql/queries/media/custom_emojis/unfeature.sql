-- unfeature: removes the featured emoji of this one's category. Logs no event, because the same
-- transaction features another.
-- $1 emoji bigint
-- rows: none
-- plan: two rows by index
update custom_emojis other set featured = false
from custom_emojis e
where e.id = $1 and e.domain is null and other.domain is null and other.category = e.category and other.featured
