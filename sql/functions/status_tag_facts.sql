-- What the hashtags of a status are counted by (status_tags): its author and language, whether it
-- exists, and whether everybody may find it (as listed_statuses decides).
create or replace function status_tag_facts(status bigint)
returns table (account_id bigint, language text, counted boolean, listed boolean)
language sql stable rows 1 as $$
  select
    s.account_id, s.language, s.deleted_at is null,
    s.deleted_at is null and s.visibility = 'public' and s.reblog_of_id is null
      and a.silenced_at is null and a.suspended_at is null and not a.pending and a.deletion_requested_at is null
  from statuses s
  join accounts a on a.id = s.account_id
  where s.id = status
$$;
