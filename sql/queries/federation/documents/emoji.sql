-- emoji: a local custom emoji.
-- $1 id bigint
-- rows: none or one
-- plan: no sequential scan
select e.id, e.shortcode, e.image, e.updated_at from custom_emojis e where e.id = $1 and e.domain is null and not e.disabled
