-- A trigger of quotes: enqueues the Delete of a QuoteAuthorization that a local account has
-- revoked.
create or replace function federate_revocations() returns trigger language plpgsql as $$
begin
  if exists (select from accounts a where a.inbox_url <> '')
    and exists (select from accounts a where a.id = new.quoted_account_id and a.domain is null)
  then
    perform enqueue('federation.send_revocation', json_build_object('quote', new.id::text));
  end if;
  return null;
end
$$;
