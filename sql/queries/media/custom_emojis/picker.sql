-- picker: the local emojis that clients offer for writing.
-- rows: all that are enabled and visible in the picker
-- plan: all of a small table
select e.shortcode, e.image, e.category, e.featured
from custom_emojis e
where e.domain is null and not e.disabled and e.visible_in_picker
order by e.category nulls last, e.shortcode
