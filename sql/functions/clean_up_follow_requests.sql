-- A trigger of follow_requests: removes the notifications of removed requests.
create or replace function clean_up_follow_requests() returns trigger language plpgsql as $$
begin
  delete from notifications n using removed
  where n.account_id = removed.target_account_id and n.from_account_id = removed.account_id
    and n.type = 'follow_request' and n.activity_id = removed.id;
  return null;
end
$$;
