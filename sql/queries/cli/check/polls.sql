-- polls: compares the counts of a batch of polls of local statuses with their votes, and corrects
-- them on request. The votes of deleted accounts stay counted, so counts may be higher than the
-- votes, but they must agree with each other.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select p.id, p.status_id, p.options, p.tallies, p.voters_count, p.multiple from polls p where p.id > $1 order by p.id limit 500
), compared as materialized (
  select
    batch.*,
    array(
      select (select count(*) from poll_votes v where v.poll_id = batch.id and v.choice = o.place - 1)::integer
      from unnest(batch.options) with ordinality o (title, place)
      order by o.place
    ) as votes,
    (select count(distinct v.account_id) from poll_votes v where v.poll_id = batch.id)::integer as voters,
    (select coalesce(sum(t.amount), 0) from unnest(batch.tallies) t (amount)) as total,
    (select coalesce(max(t.amount), 0) from unnest(batch.tallies) t (amount)) as highest
  from batch
  join statuses s on s.id = batch.status_id and s.local
), wrong as materialized (
  select compared.*
  from compared
  where cardinality(compared.tallies) <> cardinality(compared.options)
    or exists (
      select from unnest(compared.tallies, compared.votes) one (tally, amount) where one.tally is distinct from greatest(one.tally, one.amount)
    )
    or compared.voters_count < compared.voters
    or (compared.total <> compared.voters_count and not compared.multiple)
    or compared.total < compared.voters_count
    or compared.highest > compared.voters_count
), fixed as (
  update polls p
  set voters_count = p.voters_count + wrong.voters - wrong.voters_count,
    tallies = array(
      select coalesce(p.tallies[o.place], 0) + wrong.votes[o.place] - coalesce(wrong.tallies[o.place], 0)
      from generate_subscripts(wrong.options, 1) o (place)
      order by o.place
    )
  from wrong
  where $2 and p.id = wrong.id
  returning p.id, p.status_id
), logged as (
  insert into events (kind, status_id, object_id) select 'status.counted', fixed.status_id, fixed.id from fixed
  returning event_json(events) as event
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', format(
      'its counts are %s by %s voters, its votes %s by %s', wrong.tallies, wrong.voters_count, wrong.votes, wrong.voters
    )) order by wrong.id) from wrong) as findings,
  (select jsonb_agg(logged.event) from logged) as events
