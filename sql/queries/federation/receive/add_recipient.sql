-- add_recipient: lets the owner of an inbox see a status that was delivered there without
-- mentioning the owner. The owner's home feed may take it now, if it is not for everybody.
-- $1 status bigint
-- $2 account bigint
-- rows: none when nothing has changed, else one
-- plan: no sequential scan
with opened as materialized (
  select
    s.id, s.account_id, s.visibility in ('public', 'unlisted') as is_open, s as row,
    array(select m.account_id from mentions m where m.status_id = s.id and not m.silent order by m.id) as mentioned,
    array(select m.account_id from mentions m where m.status_id = s.id and m.silent order by m.id) as silent,
    array(select t.name from status_tags x join tags t on t.id = x.tag_id where x.status_id = s.id order by t.id) as tags
  from statuses s
  where s.id = $1 and s.deleted_at is null and s.account_id <> $2
), added as (
  insert into mentions (status_id, account_id, silent)
  select opened.id, a.id, true
  from opened
  join accounts a on a.id = $2 and a.domain is null
  on conflict (status_id, account_id) do nothing
  returning mentions.status_id, mentions.account_id
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select
    case when opened.is_open then 'status.counted' else 'status.updated' end, opened.account_id, opened.id,
    case when opened.is_open then '{}'
      else status_facts(opened.row, opened.mentioned, opened.silent || added.account_id, opened.tags) || jsonb_build_object(
        'reason', 'reached', 'previous', jsonb_build_object('silent_mentions', opened.silent::text[])
      )
    end
  from added
  join opened on opened.id = added.status_id
  returning event_json(events) as event
)
select jsonb_agg(logged.event) as events from logged having count(*) > 0
