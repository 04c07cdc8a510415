-- tag: the newest public statuses with any of some tags, answers included.
-- The first name is the timeline's own: when no such tag is known there is nothing. Other names that are not known are ignored.
-- $1 viewer bigint
-- $2 names text[]
-- $3 all_names text[]
-- $4 none_names text[]
-- $5 local boolean
-- $6 remote boolean
-- $7 only_media boolean
-- $8 max_id bigint
-- $9 since_id bigint
-- $10 most integer
-- rows: ids, newest first
-- plan: no sequential scan, at most 1000 buffers
select distinct found.id
from tags t
cross join lateral (
  select s.id
  from status_tags x
  join listed_statuses($1) s on s.id = x.status_id
  where x.tag_id = t.id
    and x.status_id < $8 and x.status_id > $9
    and (($5 and s.local) or ($6 and not s.local))
    and (not $7 or s.media_attachment_ids <> '{}')
    and not exists (
      select
      from tags w
      where w.name = any ($3::text[])
        and not exists (select from status_tags y where y.tag_id = w.id and y.status_id = x.status_id)
    )
    and not exists (
      select from status_tags y join tags w on w.id = y.tag_id where y.status_id = x.status_id and w.name = any ($4::text[])
    )
  order by x.status_id desc
  limit $10::integer
) found
where t.name = any ($2::text[]) and exists (select from tags own where own.name = ($2)[1])
order by found.id desc
limit $10
