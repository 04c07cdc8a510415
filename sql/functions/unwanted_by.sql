-- As wanted_accounts, for the previous release, whose processes use it during a rolling restart.
create or replace function unwanted_by(viewer bigint, other accounts) returns boolean
language sql stable as $$
  select viewer is not null and other.id <> viewer and (
    exists (select from blocks b where b.account_id = viewer and b.target_account_id = other.id)
    or exists (select from blocks b where b.account_id = other.id and b.target_account_id = viewer)
    or exists (
      select from mutes m
      where m.account_id = viewer and m.target_account_id = other.id and (m.expires_at is null or m.expires_at > now())
    )
    or (
      other.domain is not null
      and exists (select from account_domain_blocks d where d.account_id = viewer and d.domain = other.domain)
    )
  )
$$;
