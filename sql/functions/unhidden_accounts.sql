-- Accounts that are not hidden from the viewer (null: anybody) in lists of people: without those
-- that the viewer blocks or mutes, and those that block the viewer. As blocks_either_way_or_mutes,
-- but inlined by the planner (see wanted_accounts). `offset 0` as in visible_statuses_ever.
create or replace function unhidden_accounts(viewer bigint) returns setof accounts
language sql stable rows 1000 as $$
  select a.*
  from accounts a
  where viewer is null
    or a.id = viewer
    or (
      not exists (select from blocks b where b.account_id = viewer and b.target_account_id = a.id offset 0)
      and not exists (select from blocks b where b.account_id = a.id and b.target_account_id = viewer offset 0)
      and not exists (
        select from mutes m
        where m.account_id = viewer and m.target_account_id = a.id and (m.expires_at is null or m.expires_at > now())
        offset 0
      )
    )
$$;
