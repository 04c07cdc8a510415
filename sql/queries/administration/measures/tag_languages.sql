-- tag_languages: the languages of statuses that used a hashtag in a period, the most frequent
-- first.
-- $1 tag bigint
-- $2 first date
-- $3 last date
-- $4 limit bigint
-- rows: at most $4; null: all; total: of all, also those beyond the limit;
--   language: null when it is unknown
-- plan: no sequential scan; the uses of one hashtag by index
select s.language, count(*)::bigint as amount, (sum(count(*)) over ())::bigint as total
from status_tags x
join statuses s on s.id = x.status_id
where x.tag_id = $1 and s.deleted_at is null
  and x.status_id >= first_snowflake(midnight($2::date)) and x.status_id < first_snowflake(midnight($3::date + 1))
group by s.language
order by 2 desc, 1 nulls first
limit $4::bigint
