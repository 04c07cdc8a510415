-- details: the details of a status that staff sees in addition to its entity. A deleted one exists
-- as long as it is kept as evidence.
-- $1 viewer bigint
-- $2 status bigint
-- rows: at most one, none when staff may not see it (staff_statuses); reports: the latest 20 about
--   it, newest first; strikes: the latest 20 that name it, newest first
-- plan: no sequential scan
select
  s.id, s.account_id, handle_of(a) as handle, s.uri, s.url, s.local, s.visibility, s.sensitive,
  s.language, s.created_at, s.edited_at, s.deleted_at, s.in_reply_to_id,
  s.reblog_of_id, application.name as application,
  s.media_attachment_ids <> '{}' or exists (select from preview_cards_statuses x where x.status_id = s.id) as has_media,
  (
    select coalesce(jsonb_agg(jsonb_build_object('id', r.id::text, 'resolved', r.resolved, 'at', r.created_at) order by r.id desc), '[]')
    from (
      select found.id, found.action_taken_at is not null as resolved, found.created_at
      from reports found
      where found.target_account_id = s.account_id and s.id = any (found.status_ids)
      order by found.id desc
      limit 20
    ) r
  ) as reports,
  (
    select coalesce(jsonb_agg(jsonb_build_object('action', w.action, 'at', w.created_at, 'overruled', w.overruled) order by w.id desc), '[]')
    from (
      select found.id, found.action, found.created_at, found.overruled_at is not null as overruled
      from account_warnings found
      where found.target_account_id = s.account_id and s.id = any (found.status_ids)
      order by found.id desc
      limit 20
    ) w
  ) as strikes
from staff_statuses($1) s
join accounts a on a.id = s.account_id
left join applications application on application.id = s.application_id
where s.id = $2
