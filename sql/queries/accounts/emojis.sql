-- emojis: the custom emojis with these shortcodes, local or remote; omits disabled remote ones.
-- $1 shortcodes text[]
-- rows: for each domain in the order of the shortcodes
-- plan: no sequential scan
select e.shortcode, e.domain, e.image, e.visible_in_picker
from custom_emojis e
where e.shortcode = any ((select $1::text[])::text[]) and not e.disabled
