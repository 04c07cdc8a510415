-- The accounts of other servers to which activities are delivered: not suspended, on servers that
-- are available; with the shared inbox of the server if it has one, else their own. Inlined by the
-- planner, as visible_statuses: `join reachable_inboxes() i on i.account_id = …` costs the same as
-- the conditions written out.
create or replace function reachable_inboxes() returns table (account_id bigint, domain text, inbox text)
language sql stable as $$
  select a.id, a.domain, coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url)
  from accounts a
  where a.inbox_url <> '' and a.suspended_at is null
    and not exists (
      select from delivery_hosts h where h.host = substring(a.inbox_url from '^https?://([^/?#]+)') and h.unavailable_since is not null
    )
$$;
