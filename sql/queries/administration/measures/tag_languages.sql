-- tag_languages: the languages of statuses that used a hashtag in a period, the most frequent
-- first.
-- $1 tag bigint
-- $2 first date
-- $3 last date
-- $4 limit bigint
-- rows: at most $4; null: all; language: '' when it is unknown; counted: how many counters were
--   read for all languages
-- plan: no sequential scan; the counters of one hashtag by key
select c.language, sum(c.uses)::bigint as amount, (sum(count(*)) over ())::bigint as counted
from tag_server_days c
where c.tag_id = $1 and c.day >= $2::date and c.day <= $3::date
group by c.language
having sum(c.uses) > 0
order by 2 desc, 1
limit $4::bigint
