-- Whether a deleted status is still evidence: of an open report, or of a strike that can be
-- appealed (30 days).
create or replace function is_evidence(status statuses) returns boolean
language sql stable as $$
  select exists (
    select from reports r
    where r.target_account_id = status.account_id and r.action_taken_at is null and r.status_ids @> array[status.id]
  ) or exists (
    select from account_warnings w
    where w.target_account_id = status.account_id and w.status_ids @> array[status.id]
      and w.created_at > now() - interval '30 days'
  )
$$;
