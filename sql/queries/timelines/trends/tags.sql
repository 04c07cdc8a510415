-- tags: trending hashtags that may be shown, those in the preferred languages first.
-- $1 languages text[]
-- $2 undecided boolean
-- $3 least_score double precision
-- $4 limit integer
-- $5 offset integer
-- rows: at most $4; $2: whether undecided hashtags may be shown
-- plan: no sequential scan of statuses
select t.name
from tag_trends r
join tags t on t.id = r.tag_id
where r.score >= $3::double precision and t.usable and coalesce(t.trendable, $2::boolean)
order by (r.language = any ((select $1::text[])::text[])) is true desc, r.score desc, t.id
limit $4::integer offset $5::integer
