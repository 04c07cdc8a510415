-- viewer_state: whether the viewer follows and features these hashtags.
-- $1 viewer bigint
-- $2 names text[]
-- rows: one a tag that is stored
-- plan: no sequential scan
select
  t.name,
  exists (select from tag_follows f where f.account_id = $1 and f.tag_id = t.id) as following,
  exists (select from featured_tags f where f.account_id = $1 and f.tag_id = t.id) as featuring
from tags t
where t.name = any ((select $2::text[])::text[])
