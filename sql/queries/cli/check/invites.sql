-- invites: finds invites of a batch that were used more often than is counted; corrects them on
-- request. Deleted users stay counted.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select i.id, i.uses from invites i where i.id > $1 order by i.id limit 1000
), wrong as materialized (
  select batch.id, batch.uses, used.amount
  from batch
  cross join lateral (select count(*)::integer as amount from users u where u.invite_id = batch.id) used
  where batch.uses < used.amount
), fixed as (
  update invites i set uses = i.uses + wrong.amount - wrong.uses from wrong where $2 and i.id = wrong.id
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', format('uses is %s, counted %s', wrong.uses, wrong.amount)) order by wrong.id) from wrong) as findings,
  null::jsonb as events
