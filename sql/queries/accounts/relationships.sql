-- relationships: the viewer's relationships with these accounts (entity Relationship), in the order
-- given.
-- $1 viewer bigint
-- $2 ids bigint[]
-- $3 with_suspended boolean
-- $4 with_pending boolean
-- rows: one for each account that exists and is not being deleted, (unless $3) suspended, or
--   (unless $4) pending
-- plan: no sequential scan
select
  a.id,
  f.id is not null as following,
  coalesce(f.show_reblogs, r.show_reblogs, false) as showing_reblogs,
  coalesce(f.notify, r.notify, false) as notifying,
  case when f.id is not null then f.languages else r.languages end as languages,
  exists (select from follows o where o.account_id = a.id and o.target_account_id = $1) as followed_by,
  exists (select from blocks b where b.account_id = $1 and b.target_account_id = a.id) as blocking,
  exists (select from blocks b where b.account_id = a.id and b.target_account_id = $1) as blocked_by,
  m.id is not null as muting,
  coalesce(m.hide_notifications, false) as muting_notifications,
  m.expires_at as muting_expires_at,
  r.id is not null as requested,
  exists (select from follow_requests o where o.account_id = a.id and o.target_account_id = $1) as requested_by,
  exists (select from account_domain_blocks d where d.account_id = $1 and d.domain = a.domain) as domain_blocking,
  exists (select from endorsements e where e.account_id = $1 and e.target_account_id = a.id) as endorsed,
  coalesce(n.comment, '') as note
from unnest((select $2::bigint[])) with ordinality given (id, position)
join accounts a on a.id = given.id
left join follows f on f.account_id = $1 and f.target_account_id = a.id
left join follow_requests r on r.account_id = $1 and r.target_account_id = a.id
left join mutes m on m.account_id = $1 and m.target_account_id = a.id and (m.expires_at is null or m.expires_at > now())
left join account_notes n on n.account_id = $1 and n.target_account_id = a.id
where a.deletion_requested_at is null and ($3::boolean or a.suspended_at is null) and ($4::boolean or not a.pending)
order by given.position
