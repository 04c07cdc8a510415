-- Accounts that may be suggested to the viewer: discoverable and in good standing, without any
-- relation to the viewer: neither followed, requested, blocked (either way), muted, of a blocked
-- domain, nor dismissed as a suggestion.
create or replace function suggestable_accounts(viewer bigint) returns setof accounts
language sql stable rows 1000 as $$
  select a.*
  from accounts a
  where a.discoverable and a.id is distinct from viewer
    and a.suspended_at is null and a.silenced_at is null and a.deletion_requested_at is null
    and a.moved_to_account_id is null and not a.pending and not a.memorial
    and not exists (select from follows f where f.account_id = viewer and f.target_account_id = a.id)
    and not exists (select from follow_requests r where r.account_id = viewer and r.target_account_id = a.id)
    and not exists (select from suggestion_dismissals d where d.account_id = viewer and d.target_account_id = a.id)
    and not exists (select from blocks b where b.account_id = viewer and b.target_account_id = a.id)
    and not exists (select from blocks b where b.account_id = a.id and b.target_account_id = viewer)
    and not exists (
      select from mutes m
      where m.account_id = viewer and m.target_account_id = a.id and (m.expires_at is null or m.expires_at > now())
    )
    and not exists (select from account_domain_blocks d where d.account_id = viewer and d.domain = a.domain)
$$;
