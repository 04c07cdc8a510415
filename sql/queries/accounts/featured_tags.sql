-- featured_tags: the hashtags that an account features, with its public statuses under each.
-- $1 account bigint
-- rows: one a tag, the one with most posts first
-- plan: no sequential scan
select f.id, f.name, t.name as tag, used.statuses_count, used.last_status_at
from featured_tags f
join tags t on t.id = f.tag_id
cross join lateral (
  select
    count(*)::integer as statuses_count,
    (max(s.created_at) at time zone 'UTC')::date as last_status_at
  from status_tags st
  join statuses s on s.id = st.status_id
  where st.account_id = f.account_id and st.tag_id = f.tag_id and s.deleted_at is null
    and s.visibility in ('public', 'unlisted')
) used
where f.account_id = $1
order by used.statuses_count desc, f.id
