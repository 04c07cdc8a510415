-- find: custom emojis of this server and of others.
-- $1 ids bigint[]
-- rows: one for each that exists
-- plan: rows by key
select e.id, e.shortcode, e.domain, e.category, e.featured, e.visible_in_picker, e.disabled, e.image
from custom_emojis e
where e.id = any ((select $1::bigint[])::bigint[])
order by e.id
