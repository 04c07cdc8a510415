-- strikes: the strikes of an account, newest first.
-- $1 account bigint
-- rows: at most 100; appeal: the state of the appeal, null: none
-- plan: no sequential scan
select
  w.id, w.action, w.text, w.report_id, w.status_ids, w.created_at, w.overruled_at is not null as overruled,
  handle_of(moderator) as moderator,
  case
    when p.id is null then null
    when p.approved_at is not null then 'approved'
    when p.rejected_at is not null then 'rejected'
    else 'pending'
  end as appeal
from account_warnings w
left join accounts moderator on moderator.id = w.account_id
left join appeals p on p.account_warning_id = w.id
where w.target_account_id = $1
order by w.id desc
limit 100
