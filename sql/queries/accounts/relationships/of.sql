-- of: all relations of an account that the rules of feeds and streams need: its follows, blocks and
-- mutes, the accounts that block it, its followed tags and its lists. List members count while the
-- owner follows them or is the member.
-- $1 viewer bigint
-- rows: one; follow_times: when each of `follows` was followed, in their order, as binary
--   timestamps, which are read only where they matter; tags: by name, each with its id and when it
--   was followed
-- plan: no sequential scan; of the follows without options the index alone
select
  coalesce(followed.ids, '{}') as follows,
  coalesce(followed.times, '') as follow_times,
  (
    select jsonb_agg(
      jsonb_build_object(
        'id', f.target_account_id::text, 'reblogs', f.show_reblogs, 'notify', f.notify, 'languages', to_jsonb(f.languages)
      )
    )
    from follows f
    where f.account_id = $1 and (not f.show_reblogs or f.notify or f.languages is not null)
  ) as particular,
  (
    select jsonb_object_agg(t.name, jsonb_build_array(t.id::text, round(date_part('epoch', f.created_at) * 1000)))
    from tag_follows f
    join tags t on t.id = f.tag_id
    where f.account_id = $1
  ) as tags,
  array(select b.target_account_id from blocks b where b.account_id = $1) as blocks,
  array(select b.account_id from blocks b where b.target_account_id = $1) as blocked_by,
  (
    select jsonb_object_agg(m.target_account_id, extract(epoch from m.expires_at) * 1000)
    from mutes m
    where m.account_id = $1
  ) as mutes,
  array(select d.domain from account_domain_blocks d where d.account_id = $1) as domains,
  (
    select jsonb_agg(
      jsonb_build_object(
        'id', l.id::text, 'replies_policy', l.replies_policy, 'exclusive', l.exclusive,
        'members', to_jsonb(array(
          select m.account_id::text
          from list_accounts m
          where m.list_id = l.id and (m.follow_id is not null or m.account_id = $1)
        ))
      )
    )
    from lists l
    where l.account_id = $1
  ) as lists,
  coalesce(
    (select (u.preferences ->> 'aggregate_reblogs')::boolean from users u where u.account_id = $1), true
  ) as groups_boosts,
  coalesce(
    round(date_part('epoch', greatest(
      followed.newest, (select max(f.created_at) from tag_follows f where f.account_id = $1)
    )) * 1000),
    0
  ) as newest_follow_ms
from (
  select
    array_agg(f.target_account_id) as ids,
    string_agg(timestamptz_send(f.created_at), ''::bytea) as times,
    max(f.created_at) as newest
  from follows f
  where f.account_id = $1
) followed
