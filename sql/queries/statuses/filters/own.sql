-- own: the viewer's filters with their keywords and statuses, or one of them, expired ones
-- included.
-- $1 viewer bigint
-- $2 filter bigint
-- rows: all if $2 is null, else at most one
-- plan: no sequential scan
select
  f.id, f.title, f.contexts, f.action, f.expires_at,
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object('id', k.id::text, 'keyword', k.keyword, 'whole_word', k.whole_word) order by k.id
      )
      from filter_keywords k
      where k.filter_id = f.id
    ),
    '[]'
  ) as keywords,
  coalesce(
    (
      select jsonb_agg(jsonb_build_object('id', x.id::text, 'status_id', x.status_id::text) order by x.id)
      from filter_statuses x
      where x.filter_id = f.id
    ),
    '[]'
  ) as statuses
from filters f
where f.account_id = $1 and ($2::bigint is null or f.id = $2)
order by f.id
