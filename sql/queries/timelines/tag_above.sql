-- tag_above: the oldest public statuses above an id with any of some tags, replies included.
-- The first name is the timeline's own: the result is empty when that tag is unknown. Other unknown
-- names are ignored.
-- $1 names text[]
-- $2 all_names text[]
-- $3 none_names text[]
-- $4 local boolean
-- $5 remote boolean
-- $6 only_media boolean
-- $7 max_id bigint
-- $8 min_id bigint
-- $9 limit integer
-- rows: oldest first; visible to anybody
-- plan: no sequential scan, at most 1000 buffers
with required as materialized (
  select w.id from tags w where w.name = any ((select $2::text[])::text[])
), excluded_tags as materialized (
  select w.id from tags w where w.name = any ((select $3::text[])::text[])
)
select distinct found.id, found.account_id, found.domain
from tags t
cross join lateral (
  select s.id, s.account_id, s.domain
  from (
    select x.status_id
    from status_tags x
    where x.tag_id = t.id
      and x.status_id < $7 and x.status_id > $8
      and not exists (
        select
        from required w
        where not exists (select from status_tags y where y.tag_id = w.id and y.status_id = x.status_id)
      )
      and not exists (select from excluded_tags w join status_tags y on y.tag_id = w.id and y.status_id = x.status_id)
    order by x.status_id
    offset 0
  ) hit
  join lateral (
    select v.id, v.account_id, a.domain
    from listed_statuses(null) v
    join accounts a on a.id = v.account_id
    where v.id = hit.status_id
      and (($4 and v.local) or ($5 and not v.local))
      and (not $6 or v.media_attachment_ids <> '{}')
    offset 0
  ) s on true
  order by hit.status_id
  limit $9::integer
) found
where t.name = any ((select $1::text[])::text[]) and exists (select from tags own where own.name = ($1)[1])
order by found.id
limit $9
