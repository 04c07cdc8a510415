-- compose: the accounts of other servers, the tags and the attachments that the text and the
-- parameters of a status refer to, as far as its author may refer to them. For an edit (status) the
-- attachments include those that the status has or had; for a scheduled status those reserved for
-- it. Accounts are not mentioned when the author blocks them or their domain, or when nobody may
-- see them. Those of this server are found in memory, by the same rules
-- (src/statuses/mentionable.ts).
-- $1 author bigint
-- $2 usernames text[]
-- $3 domains text[]
-- $4 tags text[]
-- $5 media bigint[]
-- $6 status bigint
-- $7 scheduled bigint
-- rows: one
-- plan: no sequential scan
select
  (
    select jsonb_agg(
      jsonb_build_object('id', a.id::text, 'username', a.username, 'domain', a.domain, 'url', a.url)
    )
    from unnest((select $2::text[]), (select $3::text[])) named (username, domain)
    join accounts a on lower(a.username) = lower(named.username)
      and lower(coalesce(a.domain, '')) = lower(named.domain)
    where a.suspended_at is null and not a.pending and a.deletion_requested_at is null
      and not exists (select from blocks b where b.account_id = $1 and b.target_account_id = a.id)
      and not exists (select from account_domain_blocks d where d.account_id = $1 and d.domain = a.domain)
  ) as mentioned,
  (
    select jsonb_agg(jsonb_build_object('id', t.id::text, 'name', t.name, 'usable', t.usable))
    from tags t
    where t.name = any ((select $4::text[])::text[])
  ) as tags,
  (
    select jsonb_agg(jsonb_build_object('id', m.id::text, 'type', m.type, 'processing', m.processing))
    from media_attachments m
    where m.id = any ((select $5::bigint[])::bigint[]) and m.account_id = $1 and (
      (m.status_id is null and m.scheduled_status_id is not distinct from $7::bigint) or m.status_id = $6::bigint
    )
  ) as media
