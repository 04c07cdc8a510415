-- unfeature_category: removes the featured emoji of this one's category. Logs no event, because the
-- same transaction features another.
-- $1 shortcode text
-- rows: none
-- plan: two rows by index
update custom_emojis other set featured = false
from custom_emojis e
where e.shortcode = $1 and coalesce(e.domain, '') = '' and other.domain is null and other.category = e.category and other.featured
