-- mark_sensitive: marks statuses as sensitive on behalf of moderators, or no longer; for local ones
-- this is an edit with an entry in the history.
-- $1 ids bigint[]
-- $2 sensitive boolean
-- rows: one; marked: the local ones that have changed
-- plan: no sequential scan
with old as materialized (
  select s.id, s.local, s as row from statuses s
  where s.id = any ((select $1::bigint[])::bigint[]) and s.deleted_at is null and s.sensitive <> $2::boolean
  order by s.id
  for update
), original as (
  insert into status_edits (status_id, account_id, text, content, spoiler_text, sensitive, details, created_at)
  select
    old.id, (old.row).account_id, (old.row).text, (old.row).content, (old.row).spoiler_text, not $2, version_details(old.row),
    (old.row).created_at
  from old
  where old.local and (old.row).edited_at is null
), version as (
  insert into status_edits (status_id, account_id, text, content, spoiler_text, sensitive, details)
  select old.id, (old.row).account_id, (old.row).text, (old.row).content, (old.row).spoiler_text, $2, version_details(old.row)
  from old
  where old.local
), marked as (
  update statuses s set sensitive = $2, edited_at = case when s.local then now() else s.edited_at end
  from old
  where s.id = old.id
  returning s.id, s.account_id, s.local, s as row
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.updated', marked.account_id, marked.id, status_facts(marked.row) from marked
  returning event_json(events) as event
)
select
  array(select marked.id from marked where marked.local order by marked.id) as marked,
  (select jsonb_agg(logged.event) from logged) as events
