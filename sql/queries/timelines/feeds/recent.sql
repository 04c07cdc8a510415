-- recent: the newest statuses below an id, with what the rules of feeds need to know of them, the
-- same for every viewer. Mentions and hashtags are read by ranges of their indexes: 5,000 statuses
-- take 27 ms, a third of what `posts` would take for them. In lists, because the driver takes
-- several times as long for rows.
-- $1 below bigint
-- $2 limit integer
-- rows: one, with lists of a word for each status, oldest first; null when there is none;
--   kinds: visibility, language and domain; others: of each status that boosts, answers, mentions
--   or tags something, its place, boosted status, parent, the parent's author, whether the parent
--   is unknown, mentions, silent mentions and hashtags
-- plan: reads `limit` statuses by their key
with newest as materialized (
  select
    s.id, s.account_id, s.visibility, s.language, s.reblog_of_id, s.in_reply_to_id, s.in_reply_to_account_id,
    s.parent_unknown
  from statuses s
  where s.deleted_at is null and s.id < $1::bigint
  order by s.id desc
  limit $2::integer
), ends as materialized (
  select min(newest.id) as first, max(newest.id) as last from newest
), mentioned as (
  select
    m.status_id,
    array_agg(m.account_id) filter (where not m.silent) as mentions,
    array_agg(m.account_id) filter (where m.silent) as silent_mentions
  from mentions m
  where m.status_id between (select ends.first from ends) and (select ends.last from ends)
  group by m.status_id
), tagged as (
  select x.status_id, array_agg(t.name) as names
  from status_tags x
  join tags t on t.id = x.tag_id
  where x.status_id between (select ends.first from ends) and (select ends.last from ends)
  group by x.status_id
)
select
  string_agg(post.id::text, ' ') as ids,
  string_agg(post.account_id::text, ' ') as accounts,
  string_agg(post.kind, ' ') as kinds,
  json_agg(json_build_array(
    post.place, post.reblog_of_id::text, post.in_reply_to_id::text, post.in_reply_to_account_id::text, post.parent_unknown,
    post.mentions::text[], post.silent_mentions::text[], post.tags
  )) filter (where not post.plain) as others
from (
  select
    newest.id,
    newest.account_id,
    concat(newest.visibility, '/', newest.language, '/', a.domain) as kind,
    row_number() over (order by newest.id) - 1 as place,
    newest.reblog_of_id,
    newest.in_reply_to_id,
    newest.in_reply_to_account_id,
    newest.parent_unknown,
    mentioned.mentions,
    mentioned.silent_mentions,
    tagged.names as tags,
    coalesce(newest.reblog_of_id, newest.in_reply_to_id, newest.in_reply_to_account_id, mentioned.status_id, tagged.status_id)
      is null and not newest.parent_unknown as plain
  from newest
  join accounts a on a.id = newest.account_id
  left join mentioned on mentioned.status_id = newest.id
  left join tagged on tagged.status_id = newest.id
  order by newest.id
) post
