-- replies: finds replies of a batch of statuses to a deleted status, or that name another account
-- as the answered one than they should; corrects them on request.
-- The answered account is the author of the parent. Of an answer to oneself it is the account that
-- the first status of the own chain answers, or the author when that one answers nobody. It may be
-- the author in any case: the parent of that first status may have become known later. It may be
-- nobody when the row of the account that the first one answers was deleted.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with recursive batch as materialized (
  select s.id, s.account_id, s.in_reply_to_id, s.in_reply_to_account_id, s.parent_unknown, s.deleted_at is null as is_shown
  from statuses s
  where s.id > $1
  order by s.id
  limit 1000
), chain (id, account_id, parent_id, answered_id, depth) as (
  select batch.id, batch.account_id, batch.in_reply_to_id, batch.in_reply_to_account_id, 0
  from batch
  where batch.is_shown and batch.in_reply_to_id is not null
  union all
  select chain.id, chain.account_id, p.in_reply_to_id, p.in_reply_to_account_id, chain.depth + 1
  from chain
  join statuses p on p.id = chain.parent_id
  where p.account_id = chain.account_id and chain.depth < 1000
), expected as materialized (
  -- The first status of the own chain decides; of a chain beyond 1000 the last one that was read.
  select distinct on (chain.id)
    chain.id,
    coalesce(
      case when p.account_id = chain.account_id then p.in_reply_to_account_id else p.account_id end, chain.answered_id,
      chain.account_id
    ) as answered_id
  from chain
  left join statuses p on p.id = chain.parent_id
  order by chain.id, chain.depth desc
), wrong as materialized (
  select
    batch.id, batch.in_reply_to_id, batch.in_reply_to_account_id, expected.answered_id, p.deleted_at is not null as is_orphan
  from batch
  join expected on expected.id = batch.id
  join statuses p on p.id = batch.in_reply_to_id
  where p.deleted_at is not null or (
    batch.in_reply_to_account_id is distinct from expected.answered_id
    and not (p.account_id = batch.account_id and (
      batch.in_reply_to_account_id is not distinct from batch.account_id
      or (batch.parent_unknown and batch.in_reply_to_account_id is null)
    ))
  )
), fixed as (
  update statuses s
  set
    in_reply_to_id = case when wrong.is_orphan then null else s.in_reply_to_id end,
    in_reply_to_account_id = case when wrong.is_orphan then s.in_reply_to_account_id else wrong.answered_id end
  from wrong
  where $2 and s.id = wrong.id
  returning s.id
), logged as (
  insert into events (kind, status_id) select 'status.counted', fixed.id from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', case
      when wrong.is_orphan then format('it replies to the deleted status %s', wrong.in_reply_to_id)
      else format(
        'it replies to the account %s, but should reply to %s', coalesce(wrong.in_reply_to_account_id::text, 'none'), wrong.answered_id
      )
    end) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
