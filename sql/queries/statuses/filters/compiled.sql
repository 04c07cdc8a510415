-- compiled: the filters of these accounts with their keywords and statuses. Includes expired ones,
-- because they can be renewed.
-- $1 accounts bigint[]
-- rows: one a filter, oldest first
-- plan: no sequential scan
select
  f.id,
  f.account_id,
  f.title,
  f.contexts,
  f.action,
  f.expires_at,
  coalesce(
    (
      select jsonb_agg(jsonb_build_object('keyword', k.keyword, 'whole_word', k.whole_word) order by k.id)
      from filter_keywords k
      where k.filter_id = f.id
    ),
    '[]'
  ) as keywords,
  array(select x.status_id from filter_statuses x where x.filter_id = f.id order by x.id) as status_ids
from filters f
where f.account_id = any ((select $1::bigint[])::bigint[])
order by f.id
