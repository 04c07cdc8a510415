-- A trigger of quotes: enqueues the QuoteRequest of a local account for a remote status.
create or replace function federate_quotes() returns trigger language plpgsql as $$
begin
  if exists (select from accounts a where a.id = new.account_id and a.domain is null)
    and exists (select from accounts q where q.id = new.quoted_account_id and q.inbox_url <> '')
  then
    perform enqueue(
      'federation.send_quote_request', json_build_object('quote', new.id::text), queue_name => 'federation.send:' || new.status_id % 16
    );
  end if;
  return null;
end
$$;
