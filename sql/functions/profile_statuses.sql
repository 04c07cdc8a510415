-- The statuses of a profile that the viewer may see, with the filters of GET
-- /api/v1/accounts/:id/statuses; none of an author who blocks the viewer. A boost is included if
-- the viewer may see the boosted status and wants posts by its author (wanted_accounts). Inlined,
-- so that constant filters can use partial indexes.
create or replace function profile_statuses(
  viewer bigint, author bigint, exclude_replies boolean, exclude_reblogs boolean, exclude_direct boolean, only_media boolean
) returns setof statuses
language sql stable rows 100 as $$
  select s.*
  from visible_statuses(viewer) s
  where s.account_id = author
    and not exists (select from blocks b where b.account_id = author and b.target_account_id = viewer)
    and (not exclude_replies or s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id)
    and not (exclude_replies and s.parent_unknown)
    and (not exclude_reblogs or s.reblog_of_id is null)
    and (not exclude_direct or s.visibility <> 'direct')
    and (not only_media or s.media_attachment_ids <> '{}')
    and (
      s.reblog_of_id is null
      or exists (
        select
        from visible_statuses(viewer) o
        join wanted_accounts(viewer) a on a.id = o.account_id
        where o.id = s.reblog_of_id
      )
    )
$$;
