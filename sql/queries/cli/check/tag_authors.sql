-- tag_authors: finds hashtags of a batch of statuses that are stored under another author than the
-- status; corrects them on request.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select s.id, s.account_id from statuses s where s.id > $1 order by s.id limit 1000
), wrong as materialized (
  select batch.id, batch.account_id, t.tag_id
  from batch
  join status_tags t on t.status_id = batch.id
  where t.account_id is distinct from batch.account_id
), fixed as (
  update status_tags t set account_id = wrong.account_id
  from wrong
  where $2 and t.status_id = wrong.id and t.tag_id = wrong.tag_id
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', format('its hashtag %s is not stored under its author', wrong.tag_id)) order by wrong.id, wrong.tag_id) from wrong) as findings,
  null::jsonb as events
