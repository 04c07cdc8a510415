-- users: finds local accounts of a batch that have no user, unless they are deleted or suspended,
-- and remote accounts that have one. Nothing is changed: a password cannot be computed.
-- $1 after bigint
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select a.id, a.domain, a.suspended_at is not null or a.deletion_requested_at is not null as is_ended
  from accounts a
  where a.id > $1
  order by a.id
  limit 1000
), wrong as materialized (
  select batch.id, batch.domain
  from batch
  left join users u on u.account_id = batch.id
  where (batch.domain is null and u.id is null and not batch.is_ended) or (batch.domain is not null and u.id is not null)
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', case when wrong.domain is null then 'it has no user' else 'it is of another server and has a user' end) order by wrong.id) from wrong) as findings,
  null::jsonb as events
