-- The inboxes of the relays that have accepted, can be reached, and are not blocked by a local
-- account (null: by nobody): neither their server nor their actor. Inlined by the planner.
-- copied_at: only blocks from before this time count; a relay may have what was sent until then,
-- and gets its deletion. Null: all blocks count.
create or replace function relay_inboxes(author bigint, copied_at timestamptz default null) returns setof text
language sql stable as $$
  select r.inbox_url
  from relays r
  where r.state = 'accepted'
    and not exists (select from delivery_hosts h where h.host = r.host and h.unavailable_since is not null)
    and not exists (
      select from account_domain_blocks d
      where d.account_id = author and d.domain = r.host and (copied_at is null or d.created_at < copied_at)
    )
    and not exists (
      select
      from accounts a
      join blocks b on b.account_id = author and b.target_account_id = a.id
      where a.uri = r.actor_uri and (copied_at is null or b.created_at < copied_at)
    )
$$;
