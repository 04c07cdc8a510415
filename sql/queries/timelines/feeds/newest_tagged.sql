-- newest_tagged: the ids of the newest statuses with some tags, from one index.
-- $1 tags bigint[]
-- $2 since bigint
-- $3 limit integer
-- rows: one; ids: oldest first, at most `limit`, none below `since`
-- plan: reads `limit` keys of status_tags for each tag
with newest as (
  select distinct s.status_id as id
  from unnest($1::bigint[]) t (id)
  cross join lateral (
    select x.status_id
    from status_tags x
    where x.tag_id = t.id and x.status_id >= (select $2::bigint)
    order by x.status_id desc
    limit (select $3::integer)
  ) s
  order by id desc
  limit (select $3)
)
select array(select newest.id from newest order by newest.id) as ids
