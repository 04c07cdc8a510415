-- A trigger of users: keeps accounts.pending equal to the user's state.
create or replace function sync_pending() returns trigger language plpgsql as $$
begin
  update accounts set pending = new.confirmed_at is null or not new.approved
  where accounts.id = new.account_id and accounts.pending is distinct from (new.confirmed_at is null or not new.approved);
  return null;
end
$$;
