-- The items of collections that the viewer may see; its own even while they are pending. Omits
-- accounts that are hidden from everybody or that the viewer blocks.
create or replace function shown_collection_items(viewer bigint) returns setof collection_items
language sql stable rows 100 as $$
  select i.*
  from collection_items i
  join collections c on c.id = i.collection_id
  join accounts a on a.id = i.account_id
  where (i.state = 'accepted' or (i.state = 'pending' and c.account_id = viewer))
    and a.suspended_at is null
    and not a.pending
    and a.deletion_requested_at is null
    and not exists (select from blocks b where b.account_id = viewer and b.target_account_id = i.account_id)
$$;
