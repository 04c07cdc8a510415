-- The identity of a status for other servers, as src/federation/documents/reference.ts parses it.
-- Null when there is none.
create or replace function federated_status(status bigint) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', s.id::text, 'account_id', s.account_id::text, 'uri', s.uri, 'actor', a.uri, 'domain', a.domain,
    'visibility', s.visibility, 'reblog', s.reblog_of_id is not null, 'deleted', s.deleted_at is not null
  )
  from statuses s
  join accounts a on a.id = s.account_id
  where s.id = status
$$;
