-- fragments: announcements with their reactions, in the order of each emoji's first reaction.
-- $1 ids bigint[]
-- rows: one for each announcement that exists, unpublished ones too
-- plan: the rows of each announcement by index
select
  a.id, a.text, a.content, a.starts_at, a.ends_at, a.all_day, a.published_at, a.updated_at,
  emojis_in(a.text, null) as emojis,
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object('name', r.name, 'count', r.amount, 'image', e.image) order by r.first_id
      )
      from (
        select x.name, count(*) as amount, min(x.id) as first_id, max(x.custom_emoji_id) as custom_emoji_id
        from announcement_reactions x
        where x.announcement_id = a.id
        group by x.name
      ) r
      left join custom_emojis e on e.id = r.custom_emoji_id
    ),
    '[]'
  ) as reactions
from announcements a
where a.id = any ((select $1::bigint[])::bigint[])
