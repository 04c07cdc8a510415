-- Statuses that may trend and the viewer (null: anybody) may be shown: of authors who want to be found and whose media are not hidden,
-- no answers, nothing behind a warning, in a known language. What they quote must be such a status as well.
create or replace function trendable_statuses(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.*
  from listed_statuses(viewer) s
  join accounts a on a.id = s.account_id
  where s.in_reply_to_id is null and s.in_reply_to_account_id is null
    and not s.sensitive and s.spoiler_text = ''
    and s.language is not null
    and a.discoverable and a.sensitized_at is null
$$;
