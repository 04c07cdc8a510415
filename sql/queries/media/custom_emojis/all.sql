-- all: custom emojis for administrators, newest first.
-- $1 remote boolean
-- $2 domain text
-- $3 shortcode text
-- $4 before bigint
-- $5 limit integer
-- rows: at most $5 whose shortcodes contain $3, of other servers or of one, or of this server;
--   null is no condition
-- plan: in the order of the key
select e.id, e.shortcode, e.domain, e.category, e.featured, e.visible_in_picker, e.disabled, e.image
from custom_emojis e
where (e.domain is not null) = $1
  and ($2::text is null or e.domain = $2)
  and ($3::text is null or strpos(lower(e.shortcode), lower($3)) > 0)
  and ($4::bigint is null or e.id < $4)
order by e.id desc
limit $5::integer
