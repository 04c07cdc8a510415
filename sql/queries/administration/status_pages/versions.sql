-- versions: the versions of an edited status for staff, newest first.
-- $1 status bigint
-- $2 limit integer
-- rows: at most $2, none for a status that was never edited; media: the descriptions of the
--   attachments, in their order; poll: the options
-- plan: no sequential scan
select
  e.id, e.content, e.spoiler_text, e.sensitive, e.created_at,
  coalesce(e.details -> 'poll', '[]') as poll,
  (
    select coalesce(jsonb_agg(coalesce(m.item ->> 'description', stored.description, '') order by m.place), '[]')
    from jsonb_array_elements(e.details -> 'media') with ordinality m (item, place)
    left join media_attachments stored on stored.id = (m.item ->> 'id')::bigint
  ) as media
from status_edits e
where e.status_id = $1
order by e.created_at desc, e.id desc
limit (select $2::integer)
