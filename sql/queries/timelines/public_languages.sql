-- public_languages: the newest statuses in some languages of a part of the public timeline: no
-- boosts, no replies to others.
-- Each language is read by index as far as one page, statuses with and without media separately:
-- rare ones cost no more.
-- $1 local boolean
-- $2 remote boolean
-- $3 languages text[]
-- $4 only_media boolean
-- $5 max_id bigint
-- $6 since_id bigint
-- $7 limit integer
-- rows: newest first; visible to anybody
-- plan: no sequential scan, at most 1000 buffers
select found.id, found.account_id, found.domain
from unnest((select $3::text[])) chosen (language)
cross join (values (true, $1::boolean), (false, $2::boolean)) origin (local, wanted)
cross join (values (true), (false)) media (has)
cross join lateral (
  select s.id, s.account_id, a.domain
  from listed_statuses(null) s
  join accounts a on a.id = s.account_id
  where s.local = origin.local and s.language = chosen.language and (s.media_attachment_ids <> '{}') = media.has
    and (s.in_reply_to_id is null or s.in_reply_to_account_id = s.account_id)
    and (s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id)
    and not s.parent_unknown
    and s.id < (select $5::bigint) and s.id > (select $6::bigint)
  order by s.id desc
  limit $7::integer
) found
where origin.wanted and (media.has or not $4::boolean)
order by found.id desc
limit $7
