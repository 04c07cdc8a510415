-- Before two accounts become one: the lists, endorsements and notification requests of others that
-- have the first one name the other, where they would be lost with a follow or a request that both
-- have. What both have is dropped. Of two mutes by one person the stronger holds, and of two notes
-- about them both texts stay.
create or replace function join_memberships(source bigint, target bigint) returns void language plpgsql as $$
begin
  update list_accounts m set follow_id = other.id
  from follows f
  join follows other on other.account_id = f.account_id and other.target_account_id = target
  where f.target_account_id = source and m.follow_id = f.id;
  update list_accounts m set follow_request_id = other.id
  from follow_requests r
  join follow_requests other on other.account_id = r.account_id and other.target_account_id = target
  where r.target_account_id = source and m.follow_request_id = r.id;
  update endorsements e set target_account_id = target
  where e.target_account_id = source
    and not exists (select from endorsements o where o.account_id = e.account_id and o.target_account_id = target);
  update mutes m
  set hide_notifications = m.hide_notifications or o.hide_notifications,
    expires_at = case when m.expires_at is not null and o.expires_at is not null then greatest(m.expires_at, o.expires_at) end
  from mutes o
  where o.target_account_id = source and m.target_account_id = target and m.account_id = o.account_id;
  update account_notes n
  set comment = case when n.comment = o.comment then n.comment else n.comment || E'\n' || o.comment end
  from account_notes o
  where o.target_account_id = source and n.target_account_id = target and n.account_id = o.account_id;
  with dropped as (
    delete from notification_requests r using notification_requests other
    where r.from_account_id = source and other.from_account_id = target and other.account_id = r.account_id
    returning other.id, r.created_at, r.updated_at
  )
  update notification_requests r
  set created_at = least(r.created_at, dropped.created_at), updated_at = greatest(r.updated_at, dropped.updated_at)
  from dropped
  where r.id = dropped.id;
end
$$;
