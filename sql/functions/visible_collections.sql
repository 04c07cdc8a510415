-- The only place that decides who may see a collection (null: anybody). Omits those of accounts
-- that are suspended, unconfirmed, unapproved or being deleted, and of accounts that block the
-- viewer or its domain.
create or replace function visible_collections(viewer bigint) returns setof collections
language sql stable rows 100 as $$
  select c.*
  from collections c
  join accounts a on a.id = c.account_id
  where a.suspended_at is null
    and not a.pending
    and a.deletion_requested_at is null
    and not exists (select from blocks b where b.account_id = c.account_id and b.target_account_id = viewer)
    and not exists (
      select
      from accounts v
      join account_domain_blocks d on d.account_id = c.account_id and d.domain = v.domain
      where v.id = viewer
    )
$$;
