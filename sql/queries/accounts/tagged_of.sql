-- tagged_of: the statuses of an account with a hashtag, given by its normalised name.
-- $1 viewer bigint
-- $2 account bigint
-- $3 max_id bigint
-- $4 since_id bigint
-- $5 min_id bigint
-- $6 limit integer
-- $7 exclude_replies boolean
-- $8 exclude_reblogs boolean
-- $9 exclude_direct boolean
-- $10 only_media boolean
-- $11 tag text
-- rows: at most $6, newest first: the newest above since_id and below max_id, or, with min_id,
--   those directly above it
-- plan: no sequential scan
select found.id
from (
  (
    select s.id
    from profile_statuses($1::bigint, $2::bigint, $7, $8, $9, $10) s
    join status_tags st on st.status_id = s.id
    where st.account_id = $2 and st.tag_id = (select t.id from tags t where t.name = $11::text) and $5::bigint is null
      and st.status_id < coalesce($3::bigint, 9223372036854775807)
      and st.status_id > coalesce($4::bigint, 0)
    order by st.status_id desc
    limit $6::integer
  )
  union all
  (
    select s.id
    from profile_statuses($1::bigint, $2::bigint, $7, $8, $9, $10) s
    join status_tags st on st.status_id = s.id
    where st.account_id = $2 and st.tag_id = (select t.id from tags t where t.name = $11)
      and st.status_id > $5::bigint
      and st.status_id < coalesce($3::bigint, 9223372036854775807)
    order by st.status_id
    limit $6::integer
  )
) found
order by found.id desc
