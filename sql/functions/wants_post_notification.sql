-- Whether a follower with notifications is notified of a post: when the home feed would include it,
-- regardless of lists. Who is only mentioned and blocks the follower does not matter.
create or replace function wants_post_notification(follow follows, language text, visibility visibility, mentioned bigint[]) returns boolean
language sql stable as $$
  select (follow.languages is null or language is null or language = any (follow.languages))
    and (visibility <> 'direct' or follow.account_id = any (mentioned))
    and not blocks_either_way_or_mutes(follow.account_id, follow.target_account_id)
    and not exists (select from blocks b where b.account_id = follow.account_id and b.target_account_id = any (mentioned))
    and not exists (
      select from mutes m
      where m.account_id = follow.account_id and m.target_account_id = any (mentioned)
        and (m.expires_at is null or m.expires_at > now())
    )
$$;
