-- strike: a strike of an account, with its appeal.
-- $1 account bigint
-- $2 id bigint
-- rows: none when it is not the account's
-- plan: no sequential scan
select
  w.id, w.action, w.text, w.status_ids, w.created_at, w.overruled_at is not null as overruled, p.text as appeal,
  case when p.approved_at is not null then 'approved' when p.rejected_at is not null then 'rejected' else 'pending' end as state,
  w.created_at > now() - interval '20 days' as fresh
from account_warnings w
left join appeals p on p.account_warning_id = w.id
where w.id = $2 and w.target_account_id = $1
