-- A trigger of accounts. Blocks the address of a suspended account against signing up again; users
-- who delete their own account may return.
create or replace function sync_canonical_email_block() returns trigger language plpgsql as $$
begin
  if new.suspended_at is null then
    delete from canonical_email_blocks b where b.reference_account_id = new.id;
  elsif new.deletion_requested_at is null then
    insert into canonical_email_blocks (canonical_email_hash, reference_account_id)
    select canonical_email_hash(u.email), new.id from users u where u.account_id = new.id
    on conflict do nothing;
  end if;
  return null;
end
$$;
