-- fragments: hashtags by their identities, with how much they were used on each of the last seven days (UTC) in public statuses.
-- What it costs grows with these statuses; src/tags keeps the result.
-- $1 names text[]
-- $2 since timestamptz
-- rows: one a tag that is stored; history: [{day: seconds of its midnight, uses, accounts}], days without use are missing
-- plan: no sequential scan
-- 10 statuses: 0.1 ms; 20,000 of the week: 57 ms.
select
  t.id, t.name, t.display_name,
  coalesce(
    (
      select jsonb_agg(jsonb_build_object('day', used.day, 'uses', used.uses, 'accounts', used.accounts))
      from (
        select
          (extract(epoch from date_trunc('day', s.created_at, 'UTC')))::bigint as day,
          count(*) as uses,
          count(distinct s.account_id) as accounts
        from status_tags x
        join listed_statuses(null) s on s.id = x.status_id
        where x.tag_id = t.id and x.status_id >= (extract(epoch from $2::timestamptz) * 1000)::bigint << 16
        group by 1
      ) used
    ),
    '[]'
  ) as history
from tags t
where t.name = any ($1::text[])
