-- unfeature_category: no emoji stands for the category that this one is in. Nobody is told: another comes in the same transaction.
-- $1 shortcode text
-- rows: none
-- plan: two rows by index
update custom_emojis other set featured = false
from custom_emojis e
where e.shortcode = $1 and coalesce(e.domain, '') = '' and other.domain is null and other.category = e.category and other.featured
