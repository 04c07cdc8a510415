-- history: the versions of a status that the viewer may see, oldest first. A status that was never
-- edited here has one version, its current state. Of very many or very long versions the newest,
-- up to 1,000 and four million characters.
-- $1 viewer bigint
-- $2 status bigint
-- rows: one a version; none when the status is not visible
-- plan: no sequential scan
with visible as materialized (
  select s.id, s.account_id, s.content, s.spoiler_text, s.sensitive, s.media_attachment_ids, a.domain,
    coalesce(s.edited_at, s.created_at) as created_at
  from visible_statuses($1) s
  join accounts a on a.id = s.account_id
  where s.id = $2
), versions as (
  select e.id, visible.account_id, visible.domain, e.content, e.spoiler_text, e.sensitive, e.created_at, e.details
  from visible
  cross join lateral (
    select newest.*
    from (
      select
        e.*,
        sum(length(e.content) + length(e.spoiler_text))
          over (order by e.id desc rows between unbounded preceding and 1 preceding) as newer_characters
      from (select * from status_edits e where e.status_id = visible.id order by e.id desc limit 1000) e
    ) newest
    where coalesce(newest.newer_characters, 0) < 4000000
  ) e
  union all
  select
    0, visible.account_id, visible.domain, visible.content, visible.spoiler_text, visible.sensitive, visible.created_at,
    jsonb_build_object('media', array(select jsonb_build_object('id', i::text) from unnest(visible.media_attachment_ids) i))
      || coalesce((select jsonb_build_object('poll', p.options) from polls p where p.status_id = visible.id), '{}')
  from visible
  where not exists (select from status_edits e where e.status_id = visible.id)
)
select
  v.account_id,
  v.content,
  v.spoiler_text,
  v.sensitive,
  v.created_at,
  attachments_of(
    array(
      select (m.item ->> 'id')::bigint
      from jsonb_array_elements(v.details -> 'media') with ordinality m (item, place)
      order by m.place
    )
  ) as media,
  coalesce(v.details -> 'media', '[]') as described,
  v.details -> 'poll' as poll,
  emojis_in(concat_ws(' ', v.spoiler_text, v.content, v.details ->> 'poll'), v.domain) as emojis
from versions v
order by v.created_at, v.id
