-- list_appeals: appeals against strikes, newest first: those that wait for a decision, those
-- decided in one way, or all.
-- $1 state text
-- $2 max_id bigint
-- $3 limit integer
-- rows: at most $3; state: pending, approved or rejected
-- plan: appeals_pending when $1 is pending; else by id, newest first, until there are enough
select
  p.id, p.account_id, handle_of(a) as handle, p.text, p.created_at, w.id as strike_id, w.action, w.text as strike_text,
  w.report_id, w.status_ids, w.created_at as strike_created_at, handle_of(moderator) as moderator,
  case when p.approved_at is not null then 'approved' when p.rejected_at is not null then 'rejected' else 'pending' end as state
from appeals p
join accounts a on a.id = p.account_id
join account_warnings w on w.id = p.account_warning_id
left join accounts moderator on moderator.id = w.account_id
where p.id < coalesce($2::bigint, 9223372036854775807)
  and ($1::text is null or $1 = case when p.approved_at is not null then 'approved' when p.rejected_at is not null then 'rejected' else 'pending' end)
order by p.id desc
limit $3::integer
