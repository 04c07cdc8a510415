-- reviews: hashtags with what moderators have decided.
-- $1 ids bigint[]
-- rows: one for each stored hashtag
-- plan: no sequential scan
select t.id, t.name, t.display_name, t.usable, t.trendable, t.listable, t.reviewed_at is not null as reviewed
from tags t
where t.id = any ((select $1::bigint[])::bigint[])
