-- by_shortcode: the emoji of this server with a shortcode.
-- $1 shortcode text
-- rows: one when it exists
-- plan: one row by key
select e.id from custom_emojis e where e.shortcode = $1 and coalesce(e.domain, '') = ''
