-- delete_account: ends an account whose statuses and favourites are gone. Its user and its relations are removed; an empty suspended account
-- keeps the name, so that nobody can take it, unless that is freed too.
-- $1 account bigint
-- $2 frees_name boolean
-- rows: one
with relations as materialized (
  select f.account_id, f.target_account_id from follows f where f.account_id = $1 or f.target_account_id = $1
), signed_out as (
  delete from users u where u.account_id = $1
), unfollowing as (
  delete from follows f where f.account_id = $1 or f.target_account_id = $1
), unasked as (
  delete from follow_requests r where r.account_id = $1 or r.target_account_id = $1
), unblocked as (
  delete from blocks b where b.account_id = $1 or b.target_account_id = $1
), unmuted as (
  delete from mutes m where m.account_id = $1 or m.target_account_id = $1
), unnoted as (
  delete from account_notes n where n.account_id = $1 or n.target_account_id = $1
), unendorsed as (
  delete from endorsements e where e.account_id = $1 or e.target_account_id = $1
), undomained as (
  delete from account_domain_blocks d where d.account_id = $1
), unnotified as (
  delete from notifications n where n.account_id = $1 or n.from_account_id = $1
), unmentioned as (
  delete from mentions m where m.account_id = $1
), unmarked as (
  delete from bookmarks b where b.account_id = $1
), unlisted as (
  delete from lists l where l.account_id = $1
), unlisted_elsewhere as (
  delete from list_accounts l where l.account_id = $1
), unfiltered as (
  delete from filters f where f.account_id = $1
), untagged as (
  delete from tag_follows t where t.account_id = $1
), unfeatured as (
  delete from featured_tags t where t.account_id = $1
), unspoken as (
  delete from account_conversations v where v.account_id = $1
), unpictured as (
  delete from media_attachments m where m.account_id = $1 returning m.file_key, m.preview_key, m.source_key
), freed as (
  delete from accounts a where a.id = $1 and $2
), emptied as (
  update accounts a
  set display_name = '', note = '', note_html = '', fields = '[]', avatar = null, avatar_description = '', header = null,
    header_description = '', private_key = null, moved_to_account_id = null, suspended_at = coalesce(a.suspended_at, now()),
    discoverable = false, updated_at = now()
  where a.id = $1 and not $2
), told as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', relations.account_id, relations.target_account_id, '{"what": "unfollow"}'::jsonb from relations
  union all
  select 'token.revoked', null, $1, '{}'
  union all
  select 'user.changed', null, $1, '{"what": "deleted"}'
  union all
  select 'account.changed', null, $1, '{"what": "deleted"}'
  union all
  select 'account.deleted', null, $1, '{}'
  returning event_json(events) as event
)
select
  array(
    select files.key
    from accounts a
    cross join lateral (
      values (a.avatar ->> 'key'), (a.avatar ->> 'static_key'), (a.header ->> 'key'), (a.header ->> 'static_key')
    ) files (key)
    where a.id = $1 and files.key is not null
    union
    select files.key
    from unpictured
    cross join lateral (values (unpictured.file_key), (unpictured.preview_key), (unpictured.source_key)) files (key)
    where files.key is not null
  ) as files,
  (select jsonb_agg(told.event) from told) as events
