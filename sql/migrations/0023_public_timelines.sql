-- What public, hashtag and link timelines show, and indexes for it.
-- Locks: writers of statuses wait while the indexes are built.

-- Statuses that stand in timelines which everybody may read (api/delivery.md, section 5): public, no boosts, of authors who are not limited,
-- without those of accounts and domains that the viewer (null: anybody) blocks or mutes. Replies are included.
create function listed_statuses(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.*
  from visible_statuses(viewer) s
  join accounts a on a.id = s.account_id
  where s.visibility = 'public'
    and s.reblog_of_id is null
    and a.silenced_at is null
    and not exists (select from blocks b where b.account_id = viewer and b.target_account_id = s.account_id)
    and not exists (
      select from mutes m
      where m.account_id = viewer and m.target_account_id = s.account_id and (m.expires_at is null or m.expires_at > now())
    )
    and not exists (select from account_domain_blocks d where d.account_id = viewer and d.domain = a.domain)
$$;

-- The public timeline of other servers, and the one with media only: both may be a small part of all.
create index statuses_public_remote on statuses (id desc)
  where deleted_at is null and visibility = 'public' and reblog_of_id is null and not local
  and (in_reply_to_id is null or in_reply_to_account_id = account_id);
create index statuses_public_media on statuses (id desc)
  where deleted_at is null and visibility = 'public' and reblog_of_id is null and media_attachment_ids <> '{}'
  and (in_reply_to_id is null or in_reply_to_account_id = account_id);

-- Direct statuses of an account.
create index statuses_direct on statuses (account_id, id desc) where deleted_at is null and visibility = 'direct';
