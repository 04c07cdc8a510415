-- attach_to_parent: makes a remote status, whose parent was unknown, a reply to it. Feeds and
-- streams that refused it may take it now. A server may claim that two statuses answer each other:
-- a status is not attached to one of its own descendants.
-- $1 status bigint
-- $2 parent bigint
-- rows: none when it has a parent, one of them was deleted, or the parent descends from it
-- plan: no sequential scan
with recursive above (id) as (
  select $2::bigint
  union
  select s.in_reply_to_id from above join statuses s on s.id = above.id where s.in_reply_to_id is not null
), attached as (
  update statuses s set
    in_reply_to_id = p.id,
    in_reply_to_account_id = case
      when p.account_id = s.account_id then coalesce(p.in_reply_to_account_id, p.account_id) else p.account_id
    end,
    parent_unknown = false
  from statuses p
  where s.id = $1 and s.in_reply_to_id is null and s.deleted_at is null and p.id = $2 and p.deleted_at is null
    and not exists (select from above where above.id = $1)
  returning s.id, s.account_id, s.visibility, p.id as parent, s as row
), counted as (
  insert into status_stats as c (status_id, replies_count)
  select attached.parent, 1 from attached where attached.visibility in ('public', 'unlisted')
  on conflict (status_id) do update set replies_count = c.replies_count + 1
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.counted', attached.account_id, attached.parent, '{}'::jsonb from attached
  union all
  select
    'status.updated', attached.account_id, attached.id,
    status_facts(attached.row) || '{
      "reason": "reached",
      "previous": {"in_reply_to_id": null, "in_reply_to_account_id": null, "parent_unknown": true}
    }'
  from attached
  returning event_json(events) as event
)
select attached.id, (select jsonb_agg(logged.event) from logged) as events from attached
