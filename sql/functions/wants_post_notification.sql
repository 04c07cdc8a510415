-- Whether a follower with notifications is notified of a post: when the home feed would include it,
-- regardless of lists.
create or replace function wants_post_notification(follow follows, language text, visibility visibility, mentioned bigint[]) returns boolean
language sql stable as $$
  select (follow.languages is null or language is null or language = any (follow.languages))
    and (visibility <> 'direct' or follow.account_id = any (mentioned))
    and not blocks_either_way_or_mutes(follow.account_id, follow.target_account_id)
    and not exists (select from unnest(mentioned) other where other <> follow.account_id and blocks_either_way_or_mutes(follow.account_id, other))
$$;
