-- A trigger of accounts: deletes the e-mail addresses of an account's subscribers.
create or replace function purge_email_subscriptions() returns trigger language plpgsql as $$
begin
  delete from email_subscriptions s where s.account_id = new.id;
  return null;
end
$$;
