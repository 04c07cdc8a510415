-- add_mentions: a status of another server mentions accounts that were found after it was stored,
-- unless it was edited since. An edit at the same moment waits.
-- $1 status bigint
-- $2 accounts bigint[]
-- $3 edited_at text
-- rows: none when nothing has changed, else one
-- plan: no sequential scan
with mentioning as materialized (
  select s.id, s.account_id, s as row
  from statuses s
  where s.id = $1 and not s.local and s.deleted_at is null and s.edited_at is not distinct from $3::text::timestamptz
  for share
), added as (
  insert into mentions as m (status_id, account_id)
  select mentioning.id, given.account_id
  from mentioning
  cross join unnest((select $2::bigint[])) with ordinality given (account_id, place)
  where given.account_id <> mentioning.account_id
  order by given.place
  on conflict (status_id, account_id) do update set silent = false where m.silent
  returning m.id, m.account_id
), found as (
  select array_agg(added.account_id order by added.id) as accounts from added having count(*) > 0
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select
    'status.updated', mentioning.account_id, mentioning.id,
    status_facts(
      mentioning.row,
      array(select m.account_id from mentions m where m.status_id = mentioning.id and not m.silent order by m.id) || found.accounts,
      array(
        select m.account_id from mentions m
        where m.status_id = mentioning.id and m.silent and m.account_id <> all (found.accounts)
        order by m.id
      ),
      array(select t.name from status_tags x join tags t on t.id = x.tag_id where x.status_id = mentioning.id order by t.id)
    ) || '{"reason": "mentioned"}'
  from mentioning
  cross join found
  returning event_json(events) as event
)
select jsonb_agg(logged.event) as events from logged having count(*) > 0
