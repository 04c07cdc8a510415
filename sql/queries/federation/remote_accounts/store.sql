-- store: stores an account of another server as its document describes it: updates the account with
-- this URI, else the one with this handle, else inserts one. The original of a changed picture is
-- shown until a copy is stored; no picture is shown when the domain's media are rejected.
-- When the URI or the key has changed, the Follows from this server are sent again, because the new
-- actor may not know of them, unless the old key signed the document.
-- A field with an unchanged value stays verified unless the page of the account has changed.
-- A suspension by its own server ends when the document says so; one by this server stays. Has no
-- effect on an account that is being deleted. Run after invalidate_handle.
-- $1 uri text
-- $2 username text
-- $3 domain text
-- $4 actor_type text
-- $5 display_name text
-- $6 note_html text
-- $7 fields jsonb
-- $8 page text
-- $9 inbox text
-- $10 shared_inbox text
-- $11 outbox text
-- $12 followers text
-- $13 featured text
-- $14 public_key text
-- $15 key_id text
-- $16 locked boolean
-- $17 discoverable boolean
-- $18 indexable boolean
-- $19 memorial boolean
-- $20 suspended boolean
-- $21 avatar text
-- $22 header text
-- $23 also_known_as text[]
-- $24 attribution_domains text[]
-- $25 created timestamptz
-- $26 feature_automatic text[]
-- $27 feature_manual text[]
-- $28 signed boolean
-- $29 following text
-- rows: none after a simultaneous insertion; else one; copies: which pictures are to be copied;
--   unused: keys of files that are no longer shown; resend_follows: whether Follows have to be
--   sent again; suspension_changed: whether its server suspended it, or ended that; has_new_links:
--   whether fields have changed and one may be a link that is not verified
-- plan: no sequential scan
with rule as materialized (
  select coalesce((select r.reject_media or r.severity = 'suspend' from domain_rule($3) r), false) as rejects_media
), pictures as materialized (
  select
    case when not rule.rejects_media and $21::text is not null
      then jsonb_build_object('key', $21::text, 'static_key', $21::text, 'type', '') end as avatar,
    case when not rule.rejects_media and $22::text is not null
      then jsonb_build_object('key', $22::text, 'static_key', $22::text, 'type', '') end as header
  from rule
), known as materialized (
  select
    a.id, a.avatar, a.header, a.fields, a.url,
    a.uri <> '' and a.uri <> $1 or a.public_key <> '' and a.public_key <> $14 and not (
      $28::boolean and exists (select from remote_keys k where k.key_id = a.key_id and k.public_key = a.public_key)
    ) as has_new_identity,
    a.avatar_remote_url is distinct from $21::text or (a.avatar is null) <> (pictures.avatar is null) as sets_avatar,
    a.header_remote_url is distinct from $22::text or (a.header is null) <> (pictures.header is null) as sets_header,
    (
      a.actor_type, a.display_name, a.note_html, a.url, a.locked, a.discoverable, a.indexable, a.memorial,
      a.attribution_domains, a.username, a.avatar_remote_url, a.header_remote_url,
      a.feature_automatic, a.feature_manual, a.handle_invalid
    ) is distinct from ($4, $5, $6, $8, $16, $17, $18, $19, $24::text[], $2, $21, $22, $26::text[], $27::text[], false) as differs,
    case
      when $20::boolean and a.suspended_at is null then 'suspended'
      when not $20::boolean and a.suspended_at is not null and a.suspension_origin = 'remote' then 'unsuspended'
    end as change
  from accounts a
  cross join pictures
  where a.uri = $1 or (lower(a.username) = lower($2) and lower(coalesce(a.domain, '')) = lower($3))
  order by a.uri = $1 desc
  limit 1
  for no key update of a
), described as materialized (
  select coalesce(jsonb_agg(f.field || coalesce(verified.member, '{}') order by f.place), '[]') as fields
  from jsonb_array_elements($7::jsonb) with ordinality f (field, place)
  left join lateral (
    select jsonb_build_object('verified_at', v.field -> 'verified_at') as member
    from known
    cross join lateral jsonb_array_elements(known.fields) v (field)
    where known.url = $8 and v.field ->> 'value' = f.field ->> 'value' and v.field ->> 'verified_at' is not null
    limit 1
  ) verified on true
), updated as (
  update accounts a set
    uri = $1,
    -- The domain of an account does not change.
    username = case when lower(a.domain) = lower($3) then $2 else a.username end,
    handle_invalid = a.handle_invalid and lower(a.domain) <> lower($3),
    actor_type = $4, display_name = $5, note_html = $6, fields = described.fields, url = $8, inbox_url = $9, shared_inbox_url = $10,
    outbox_url = $11, followers_url = $12, following_url = $29, featured_url = $13, public_key = $14, key_id = $15, locked = $16,
    discoverable = $17, indexable = $18, memorial = $19, also_known_as = $23::text[], attribution_domains = $24::text[],
    feature_automatic = $26::text[], feature_manual = $27::text[],
    avatar = case when known.sets_avatar then pictures.avatar else a.avatar end,
    header = case when known.sets_header then pictures.header else a.header end,
    avatar_remote_url = $21, header_remote_url = $22,
    suspended_at = case known.change when 'suspended' then now() when 'unsuspended' then null else a.suspended_at end,
    suspension_origin = case known.change when 'suspended' then 'remote' when 'unsuspended' then 'local' else a.suspension_origin end,
    fetched_at = now(), updated_at = now()
  from known cross join pictures cross join described
  where a.id = known.id and a.deletion_requested_at is null
  returning a.id
), inserted as (
  insert into accounts as a (
    uri, username, domain, actor_type, display_name, note_html, fields, url, inbox_url, shared_inbox_url, outbox_url,
    followers_url, following_url, featured_url, public_key, key_id, locked, discoverable, indexable, memorial, also_known_as,
    attribution_domains, avatar, header, avatar_remote_url, header_remote_url, suspended_at, suspension_origin, fetched_at,
    created_at, feature_automatic, feature_manual
  )
  select
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $29, $13, $14, $15, $16, $17, $18, $19, $23::text[], $24::text[],
    pictures.avatar, pictures.header, $21, $22, case when $20 then now() end, case when $20 then 'remote' else 'local' end,
    now(), least($25::timestamptz, now()), $26::text[], $27::text[]
  from pictures
  where not exists (select from known)
  on conflict do nothing
  returning a.id
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', inserted.id, '{"change": "created"}'::jsonb from inserted
  union all
  select 'account.changed', known.id, '{"change": "profile"}'
  from known
  join updated on updated.id = known.id
  cross join described
  where known.differs or known.fields is distinct from described.fields or known.sets_avatar or known.sets_header
  union all
  select 'account.changed', known.id, '{"change": "suspended"}' from known join updated on updated.id = known.id where known.change = 'suspended'
  union all
  select 'account.changed', known.id, '{"change": "unsuspended"}' from known join updated on updated.id = known.id where known.change = 'unsuspended'
  returning event_json(events) as event
)
select
  coalesce(known.id, inserted.id) as id,
  array_remove(array[
    case when pictures.avatar is not null and coalesce(known.sets_avatar, true) then 'avatar' end,
    case when pictures.header is not null and coalesce(known.sets_header, true) then 'header' end
  ], null) as copies,
  array_remove(array[
    case when known.sets_avatar then known.avatar ->> 'key' end, case when known.sets_avatar then known.avatar ->> 'static_key' end,
    case when known.sets_header then known.header ->> 'key' end, case when known.sets_header then known.header ->> 'static_key' end
  ], null) as unused,
  coalesce(known.has_new_identity and exists (select from updated), false) as resend_follows,
  coalesce(known.change is not null and exists (select from updated), false) as suspension_changed,
  (known.url is distinct from $8 or known.fields is distinct from described.fields) and exists (
    select from jsonb_array_elements(described.fields) f (field)
    where f.field ->> 'verified_at' is null and f.field ->> 'value_html' like '<a href="https://%'
  ) as has_new_links,
  (select jsonb_agg(logged.event) from logged) as events
from pictures
cross join described
left join known on true
left join inserted on true
where known.id is not null or inserted.id is not null
