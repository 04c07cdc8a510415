-- list: the scheduled statuses of a person, newest first; with min_id the page directly above it.
-- $1 account bigint
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 min_id bigint
-- $5 only bigint
-- $6 limit integer
-- rows: at most `limit`; with `only` that one
-- plan: no sequential scan
select
  s.id, s.scheduled_at, s.application_id, s.params,
  (
    select attachments_of(array_agg(i.id order by i.place))
    from (
      select o.value::bigint as id, o.place
      from jsonb_array_elements_text(nullif(s.params -> 'media_ids', 'null')) with ordinality o (value, place)
    ) i
  ) as media
from (
  select p.id, p.scheduled_at, p.application_id, p.params
  from scheduled_statuses p
  where p.account_id = $1
    and ($2::bigint is null or p.id < $2)
    and ($3::bigint is null or p.id > $3)
    and ($4::bigint is null or p.id > $4)
    and ($5::bigint is null or p.id = $5)
  order by case when $4::bigint is not null then p.id end, p.id desc
  limit $6::integer
) s
order by s.id desc
