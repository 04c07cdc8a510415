-- Whether two accounts are hidden from each other's lists: a block either way, or the viewer's
-- mute. False for an anonymous viewer.
create or replace function blocks_either_way_or_mutes(viewer bigint, other bigint) returns boolean
language sql stable as $$
  select exists (select from blocks b where b.account_id = viewer and b.target_account_id = other)
    or exists (select from blocks b where b.account_id = other and b.target_account_id = viewer)
    or exists (
      select from mutes m
      where m.account_id = viewer and m.target_account_id = other and (m.expires_at is null or m.expires_at > now())
    )
$$;
