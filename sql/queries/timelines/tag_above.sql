-- tag_above: the oldest public statuses with any of some tags, above an id, answers included.
-- The first name is the timeline's own: when no such tag is known there is nothing. Other names that are not known are ignored.
-- $1 viewer bigint
-- $2 names text[]
-- $3 all_names text[]
-- $4 none_names text[]
-- $5 local boolean
-- $6 remote boolean
-- $7 only_media boolean
-- $8 max_id bigint
-- $9 min_id bigint
-- $10 most integer
-- rows: ids, oldest first
-- plan: no sequential scan, at most 1000 buffers
with demanded as materialized (
  select w.id from tags w where w.name = any ($3::text[])
), barred as materialized (
  select w.id from tags w where w.name = any ($4::text[])
)
select distinct found.id
from tags t
cross join lateral (
  select s.id
  from (
    select x.status_id
    from status_tags x
    where x.tag_id = t.id
      and x.status_id < $8 and x.status_id > $9
      and not exists (
        select
        from demanded w
        where not exists (select from status_tags y where y.tag_id = w.id and y.status_id = x.status_id)
      )
      and not exists (select from barred w join status_tags y on y.tag_id = w.id and y.status_id = x.status_id)
    order by x.status_id
    offset 0
  ) hit
  join lateral (
    select v.id
    from listed_statuses($1) v
    where v.id = hit.status_id
      and (($5 and v.local) or ($6 and not v.local))
      and (not $7 or v.media_attachment_ids <> '{}')
    offset 0
  ) s on true
  order by hit.status_id
  limit $10::integer
) found
where t.name = any ($2::text[]) and exists (select from tags own where own.name = ($2)[1])
order by found.id
limit $10
