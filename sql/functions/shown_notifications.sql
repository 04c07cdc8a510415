-- The notifications that the viewer may see: not those by accounts that are suspended or being
-- deleted, nor those about a status that was deleted or is not visible to the viewer. A left join
-- instead of `exists`, which next to `or` would be planned as a hash of all statuses.
create or replace function shown_notifications(viewer bigint) returns setof notifications
language sql stable rows 1000 as $$
  select n.*
  from notifications n
  join accounts a on a.id = n.from_account_id
  left join visible_statuses(viewer) s on s.id = n.status_id
  where n.account_id = viewer
    and a.suspended_at is null
    and a.deletion_requested_at is null
    and (n.status_id is null or s.id is not null)
$$;
