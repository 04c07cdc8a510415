-- emojis: the local emojis, by category and name.
-- rows: all
-- plan: all of a small table
select e.shortcode, e.category, e.featured, e.visible_in_picker, e.disabled, e.image
from custom_emojis e
where e.domain is null
order by e.category nulls first, e.shortcode
