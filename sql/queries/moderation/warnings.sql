-- warnings: the data of strike entities.
-- $1 ids bigint[]
-- rows: one for each strike that exists
-- plan: no sequential scan
select
  w.id, w.action, w.text, w.status_ids, w.target_account_id, w.created_at,
  (
    select jsonb_build_object(
      'text', p.text,
      'state', case when p.approved_at is not null then 'approved' when p.rejected_at is not null then 'rejected' else 'pending' end
    )
    from appeals p
    where p.account_warning_id = w.id
  ) as appeal
from account_warnings w
where w.id = any ((select $1::bigint[])::bigint[])
