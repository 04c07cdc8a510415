-- emojis: the custom emojis that go by these shortcodes here or on other servers; disabled ones of other servers are left out.
-- $1 shortcodes text[]
-- rows: in the order of shortcodes for each domain
-- plan: no sequential scan
select e.shortcode, e.domain, e.image, e.visible_in_picker
from custom_emojis e
where e.shortcode = any ($1::text[]) and not e.disabled
